/** Records which permissions were used, and which of these no other permission would have granted. */
import type { Access } from './evaluate.ts';
import type { Permissions } from './permissions.ts';
import { isAboutEverybody, type Statement } from './statement.ts';

/** The use of one action on one resource. */
export interface Use {
  /** Number of calls that the permission has allowed. */
  readonly used: number;
  /** Whether at least one of these calls was allowed by this permission only. */
  readonly indispensable: boolean;
}

export interface StatementUsage {
  /** Stack, logical id and type of the policy. */
  readonly policy: string;
  /** Position in the policy, from 0. */
  readonly statement: number;
  /** Uses by action and resource, as written in the statement. The action is `*` for a statement with NotAction. */
  readonly actions: Readonly<Record<string, Readonly<Record<string, Use>>>>;
}

/** Statements by role name, or `*` for every caller. */
export type PermissionUsage = Readonly<Record<string, readonly StatementUsage[]>>;

export interface UsageRecord {
  /**
   * Counts one access.
   * @param by all statements that allow the access
   */
  count(role: string, access: Access, by: readonly Statement[]): void;
  report(): PermissionUsage;
  /** Returns whether an access was counted since the last call. */
  hasChanged(): boolean;
}

/** Uses by action and resource, as written in the statement. */
type Uses = Map<string, Use>;

const UNUSED: Use = { used: 0, indispensable: false };

const keyOf = (action: string, resource: string) => `${action} ${resource}`;

const actionsOf = ({ actions, exceptActions }: Statement) => (exceptActions ? ['*'] : actions.map(({ text }) => text));

/** Returns the statement's own patterns that match the action. */
const matching = ({ actions, exceptActions }: Statement, action: string) =>
  exceptActions ? ['*'] : actions.filter((pattern) => pattern.matches(action)).map(({ text }) => text);

/** Returns the role under which a statement is listed: `*` for a resource policy that covers every caller. */
const listedAs = (role: string, statement: Statement) => (isAboutEverybody(statement) ? '*' : role);

export function createUsage(permissions: Permissions): UsageRecord {
  const usesByRole = new Map<string, Map<Statement, Uses>>();
  let changed = false;

  function usesOf(role: string, statement: Statement): Uses {
    const ofRole = usesByRole.get(role) ?? new Map<Statement, Uses>();
    usesByRole.set(role, ofRole);
    const uses: Uses = ofRole.get(statement) ?? new Map();
    ofRole.set(statement, uses);
    return uses;
  }

  function countOne(role: string, { action, resource }: Access, statement: Statement, only: boolean): void {
    const uses = usesOf(listedAs(role, statement), statement);
    const matched = statement.resources.filter((pattern) => pattern.matches(resource)).map(({ text }) => text);
    const keys = matching(statement, action).flatMap((text) => matched.map((on) => keyOf(text, on)));
    for (const key of keys) {
      const { used, indispensable } = uses.get(key) ?? UNUSED;
      uses.set(key, { used: used + 1, indispensable: indispensable || (only && keys.length === 1) });
    }
  }

  function usageOf(role: string, statement: Statement): StatementUsage {
    const uses = usesByRole.get(role)?.get(statement);
    const onEach = (action: string) =>
      statement.resources.map(({ text }) => [text, uses?.get(keyOf(action, text)) ?? UNUSED]);
    return {
      policy: statement.policy,
      statement: statement.index,
      actions: Object.fromEntries(actionsOf(statement).map((action) => [action, Object.fromEntries(onEach(action))])),
    };
  }

  return {
    count(role, access, by) {
      for (const statement of by) countOne(role, access, statement, by.length === 1);
      changed = true;
    },
    report() {
      const roles: Record<string, StatementUsage[]> = {};
      for (const { role, statement } of permissions.grants()) {
        roles[role] ??= [];
        roles[role].push(usageOf(role, statement));
      }
      return roles;
    },
    hasChanged() {
      const before = changed;
      changed = false;
      return before;
    },
  };
}
