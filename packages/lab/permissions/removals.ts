/** Removes a permission from synthesized stacks. */
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changeStack, type Resources, type TemplateResource, templateFile } from '../../../test/acceptance/assembly.ts';
import { type Assemblies, FIRST, SECOND } from './assemblies.ts';
import { roleNamed } from './names.ts';
import { reasons } from './reasons.ts';

/** A permission of a role in a policy statement. */
export interface Removal {
  /** The policy, and the index of its statement. */
  readonly statement: string;
  readonly role: string;
  readonly actions: readonly string[];
  /** Whether the permission is explained as unused. */
  readonly isUnused: boolean;
  /** @returns the same stacks in the folder without the permission */
  apply(assemblies: Assemblies, folder: string): Assemblies;
}

interface Statement {
  readonly Effect: string;
  Action: string | string[];
  Principal?: { AWS: unknown };
}

const ENDPOINTS = [`Endpoint-${FIRST}`, `Endpoint-${SECOND}`];

const list = <Item>(value: Item | readonly Item[]): Item[] => [value].flat() as Item[];

interface Document {
  readonly Statement: Statement[];
}

/** Returns the statements of a policy, or of a role's own policies. */
function statementsOf({ Type, Properties }: TemplateResource): Statement[] {
  if (Type !== 'AWS::IAM::Role') return (Properties.PolicyDocument as Document).Statement;
  const own = (Properties.Policies ?? []) as { readonly PolicyDocument: Document }[];
  if (own.length > 1) throw new Error('A role must have at most one policy of its own, so that indices are clear.');
  return own[0]?.PolicyDocument.Statement ?? [];
}

const isUnused = (role: string, action: string) =>
  reasons().some((reason) => reason.unused !== undefined && reason.role === role && reason.action === action);

function resourcesOf(folder: string, stack: string): Resources {
  return (JSON.parse(readFileSync(templateFile(folder, stack), 'utf8')) as { Resources: Resources }).Resources;
}

/** Removes the actions from the statement, and an empty statement from its policy. */
function takeActions(statements: Statement[], index: number, actions: readonly string[]): void {
  const statement = statements[index];
  if (!statement) throw new Error(`The policy has no statement ${index}.`);
  const left = list(statement.Action).filter((action) => !actions.includes(action));
  if (left.length > 0) statement.Action = left;
  else statements.splice(index, 1);
}

function removal(
  what: Pick<Removal, 'statement' | 'role' | 'actions'>,
  stacks: readonly string[],
  take: (resources: Resources) => void,
): Removal {
  const { role, actions } = what;
  return {
    ...what,
    isUnused: actions.every((action) => isUnused(role, action)),
    apply({ both, without }, folder) {
      const changed = { both: join(folder, 'both'), without: join(folder, 'without') };
      cpSync(both, changed.both, { recursive: true });
      cpSync(without, changed.without, { recursive: true });
      for (const assembly of Object.values(changed)) for (const stack of stacks) changeStack(assembly, stack, take);
      return changed;
    },
  };
}

const policyIn = (resources: Resources, id: string): Statement[] => {
  const resource = resources[id];
  if (!resource) throw new Error(`The stacks have no resource ${id}.`);
  return statementsOf(resource);
};

/** Returns the roles that have the statements: those of a policy, or the role itself. */
const rolesWith = (id: string, { Type, Properties }: TemplateResource): string[] =>
  Type === 'AWS::IAM::Role' ? [id] : (Properties.Roles as { Ref: string }[]).map(({ Ref }) => Ref);

/** Lists the permissions in policies of roles. */
function fromIdentities(stacks: readonly string[], resources: Resources, each: Each): Removal[] {
  const kinds = ['AWS::IAM::Policy', 'AWS::IAM::Role'];
  const policies = Object.entries(resources).filter(([, { Type }]) => kinds.includes(Type));
  return policies.flatMap(([id, policy]) =>
    rolesWith(id, policy).flatMap((role) =>
      statementsOf(policy).flatMap(({ Action }, index) =>
        each(list(Action)).map((actions) => {
          const what = { statement: `${id} ${index}`, role: roleNamed(`${stacks[0]}-${role}`), actions };
          return removal(what, stacks, (changed) => takeActions(policyIn(changed, id), index, actions));
        }),
      ),
    ),
  );
}

/**
 * Lists the permissions that queue policies grant to roles. Each role is removed separately, and from the queues
 * of even and odd generations at the same time, because no purge happens between two uses.
 */
function fromQueues(stacks: readonly string[], resources: Resources): Removal[] {
  const policies = Object.entries(resources).filter(([, { Type }]) => Type === 'AWS::SQS::QueuePolicy');
  const groups = Map.groupBy(policies, ([id]) => id.replace(/(Even|Odd)Policy\w+$/, ''));
  return [...groups.values()].flatMap((twins) =>
    statementsOf(twins[0]?.[1] as TemplateResource).flatMap(({ Effect, Action, Principal }, index) => {
      if (Effect !== 'Allow' || !Principal) return [];
      const principals = list(Principal.AWS).map((principal) => JSON.stringify(principal));
      return principals.map((principal) => {
        const [, role = ''] = /FnGetAtt(\w+Role[0-9A-F]{8})Arn/.exec(principal) ?? [];
        const ids = twins.map(([id]) => id);
        const what = { statement: `${ids} ${index}`, role: roleNamed(`Platform-${role}`), actions: list(Action) };
        return removal(what, stacks, (changed) => {
          for (const id of ids) {
            const statement = policyIn(changed, id)[index];
            const others = list(statement?.Principal?.AWS).filter((other) => JSON.stringify(other) !== principal);
            if (statement) statement.Principal = { AWS: others };
          }
        });
      });
    }),
  );
}

type Each = (actions: readonly string[]) => readonly (readonly string[])[];

/** Lists the permissions that can be removed from a role, by statement or by action. */
export function removalsFrom({ both }: Assemblies, by: 'statement' | 'action'): Removal[] {
  const each: Each = by === 'statement' ? (actions) => [actions] : (actions) => actions.map((action) => [action]);
  const endpoint = resourcesOf(both, `Endpoint-${FIRST}`);
  return [
    ...['Platform', 'Management'].flatMap((stack) => fromIdentities([stack], resourcesOf(both, stack), each)),
    ...fromIdentities(ENDPOINTS, endpoint, each),
    ...fromQueues(ENDPOINTS, endpoint),
  ];
}
