/** Which of the permissions that the templates grant have been used, and which of them nothing else would have given. */
import type { Access } from './evaluate.ts';
import type { Permissions } from './permissions.ts';
import type { Statement } from './statement.ts';

export interface ActionUsage {
  /** Calls that it has allowed. */
  readonly used: number;
  /** Whether one of them was allowed by nothing else. */
  readonly indispensable: boolean;
}

export interface StatementUsage {
  /** Stack, logical id and type of the policy. */
  readonly policy: string;
  /** Position in the policy, from 0. */
  readonly statement: number;
  /** By action as the statement writes it; `*` for all but those of its NotAction. */
  readonly actions: Readonly<Record<string, ActionUsage>>;
  /** Calls by resource as the statement writes it. */
  readonly resources: Readonly<Record<string, number>>;
}

/** By role name, or `*` for what everybody may do. */
export type PermissionUsage = Readonly<Record<string, readonly StatementUsage[]>>;

export interface UsageRecord {
  /**
   * Counts one access.
   * @param by all statements that allow it
   */
  count(role: string, access: Access, by: readonly Statement[]): void;
  report(): PermissionUsage;
  /** Whether something was counted since this was last asked. */
  hasChanged(): boolean;
}

interface Tally {
  readonly actions: Map<string, ActionUsage>;
  readonly resources: Map<string, number>;
}

const actionsOf = ({ actions, exceptActions }: Statement) => (exceptActions ? ['*'] : actions.map(({ text }) => text));

/** The statement's own patterns that allow the action. */
const matching = ({ actions, exceptActions }: Statement, action: string) =>
  exceptActions ? ['*'] : actions.filter((pattern) => pattern.matches(action)).map(({ text }) => text);

/** As whom a statement is listed: a resource policy may allow something to everybody. */
const listedAs = (role: string, { principals }: Statement) =>
  principals?.some((principal) => 'aws' in principal && principal.aws === '*') ? '*' : role;

export function createUsage(permissions: Permissions): UsageRecord {
  const tallies = new Map<string, Map<Statement, Tally>>();
  let changed = false;

  function tallyOf(role: string, statement: Statement): Tally {
    const ofRole = tallies.get(role) ?? new Map<Statement, Tally>();
    tallies.set(role, ofRole);
    const tally = ofRole.get(statement) ?? { actions: new Map(), resources: new Map() };
    ofRole.set(statement, tally);
    return tally;
  }

  function countOne(role: string, { action, resource }: Access, statement: Statement, only: boolean): void {
    const { actions, resources } = tallyOf(listedAs(role, statement), statement);
    const patterns = matching(statement, action);
    for (const text of patterns) {
      const { used, indispensable } = actions.get(text) ?? { used: 0, indispensable: false };
      actions.set(text, { used: used + 1, indispensable: indispensable || (only && patterns.length === 1) });
    }
    for (const pattern of statement.resources)
      if (pattern.matches(resource)) resources.set(pattern.text, (resources.get(pattern.text) ?? 0) + 1);
  }

  function usageOf(role: string, statement: Statement): StatementUsage {
    const tally = tallies.get(role)?.get(statement);
    const action = (text: string) => [text, tally?.actions.get(text) ?? { used: 0, indispensable: false }];
    return {
      policy: statement.policy,
      statement: statement.index,
      actions: Object.fromEntries(actionsOf(statement).map(action)),
      resources: Object.fromEntries(statement.resources.map(({ text }) => [text, tally?.resources.get(text) ?? 0])),
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
