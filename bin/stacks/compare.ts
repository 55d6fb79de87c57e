/** Compares the deployed stacks with those that Git declares. */

import type { DeployedStack } from '../doctor/deployed.ts';
import type { DeclaredStack } from '../synthesized/app.ts';
import type { Context } from '../synthesized/context.ts';

/**
 * - `declared`: deployed, and declared in Git
 * - `not deployed`: declared in Git alone
 * - `not declared`: deployed alone, so it serves and is charged until it is deleted
 * - `being deleted`: not declared, and CloudFormation is deleting it
 * - `other deployment`: its name begins with that of another deployment, whose declarations are not compared here
 * - `earlier version`: its name has no deployment; it serves beside the others until it is deleted (docs/upgrade.md)
 */
export type State =
  | 'declared'
  | 'not deployed'
  | 'not declared'
  | 'being deleted'
  | 'other deployment'
  | 'earlier version';

export interface ComparedStack {
  readonly name: string;
  readonly state: State;
  /** As CloudFormation calls it. @default - it is not deployed */
  readonly status?: string;
  readonly description?: string;
  /** Commands that make declaration and deployment agree, in their order. */
  readonly fix?: readonly string[];
}

const ID = /^(?:Storage|Fleet|Platform|Templates|Endpoint-.+)$/;
const OURS = 'gpu-endpoints: ';
const ENDPOINT = `${OURS}endpoint `;

/** Returns the prefix of the names of all stacks of this deployment. */
function prefixOf(declared: readonly DeclaredStack[]): string {
  const named = declared.find(({ id, name }) => name.endsWith(id));
  return named ? named.name.slice(0, -named.id.length) : '';
}

function removal({ name, isProtected }: DeployedStack, region: string): readonly string[] {
  const of = `--region ${region} --stack-name ${name}`;
  const unprotect = `aws cloudformation update-termination-protection --no-enable-termination-protection ${of}`;
  return [...(isProtected ? [unprotect] : []), `aws cloudformation delete-stack ${of}`];
}

function undeclared(stack: DeployedStack, prefix: string, region: string): ComparedStack {
  const { name, status, description } = stack;
  if (ID.test(name)) return { name, state: 'earlier version', status, description };
  const isOfThis = name.startsWith(prefix) && ID.test(name.slice(prefix.length));
  if (!isOfThis) return { name, state: 'other deployment', status, description };
  if (status === 'DELETE_IN_PROGRESS') return { name, state: 'being deleted', status, description };
  return { name, state: 'not declared', status, description, fix: removal(stack, region) };
}

/** CloudFormation deletes no stack whose exports another imports: endpoints import from `Platform`. */
const endpointsFirst = (one: ComparedStack, other: ComparedStack) =>
  Number(other.description?.startsWith(ENDPOINT) ?? false) - Number(one.description?.startsWith(ENDPOINT) ?? false);

/**
 * Returns each stack of this service once: the declared ones in their order, then the others in the order in which they
 * can be deleted.
 * @param region where they are deployed
 * @param settings those of the command line, by which `cdk` finds the same stacks
 */
export function compareStacks(
  declared: readonly DeclaredStack[],
  deployed: readonly DeployedStack[],
  region: string,
  settings: Context = {},
): ComparedStack[] {
  const ours = deployed.filter(({ description }) => description.startsWith(OURS));
  const prefix = prefixOf(declared);
  const given = Object.entries(settings).map(([setting, value]) => `-c ${setting}=${value}`);
  const names = new Set(declared.map(({ name }) => name));
  const inGit = declared.map(({ id, name }): ComparedStack => {
    const stack = ours.find((each) => each.name === name);
    if (!stack) return { name, state: 'not deployed', fix: [['npx cdk deploy', id, ...given].join(' ')] };
    return { name, state: 'declared', status: stack.status, description: stack.description };
  });
  const rest = ours.filter(({ name }) => !names.has(name)).map((stack) => undeclared(stack, prefix, region));
  return [...inGit, ...rest.toSorted(endpointsFirst)];
}
