/** Compares the deployed stacks with the stacks that Git declares. */

import { DESCRIPTION_PREFIX, endpointOfStack, stackIdIn } from '../../core/deployment.ts';
import type { DeclaredStack } from '../assembly/app.ts';
import type { Context } from '../assembly/context.ts';
import type { DeployedStack } from '../doctor/deployed.ts';

/**
 * - `declared`: deployed, and declared in Git
 * - `not deployed`: declared in Git, but not deployed
 * - `not declared`: deployed, but not declared: it serves requests and is charged until it is deleted
 * - `being deleted`: not declared, and CloudFormation is deleting it
 * - `other deployment`: its name has the prefix of another deployment, whose declarations are not compared
 */
export type State = 'declared' | 'not deployed' | 'not declared' | 'being deleted' | 'other deployment';

export interface ComparedStack {
  readonly name: string;
  readonly state: State;
  /**
   * Status of the stack as CloudFormation reports it.
   * @default - the stack is not deployed
   */
  readonly status?: string;
  readonly description?: string;
  /** Commands, in order, that bring the deployed stack and its declaration into agreement. */
  readonly fix?: readonly string[];
}

const ENDPOINT = `${DESCRIPTION_PREFIX}endpoint `;

/** Returns the name prefix of all stacks of this deployment. */
function prefixOf(declared: readonly DeclaredStack[]): string {
  const named = declared.find(({ id, name }) => name.endsWith(id));
  return named ? named.name.slice(0, -named.id.length) : '';
}

/**
 * Returns the commands that remove the stack.
 * @param given settings of the command line, as options
 */
function removal({ name, isProtected }: DeployedStack, id: string, region: string, given: readonly string[]): string[] {
  const endpoint = endpointOfStack(id);
  if (endpoint !== undefined) return [['npx gpu-endpoints remove endpoint', endpoint, ...given].join(' ')];
  const of = `--region ${region} --stack-name ${name}`;
  const unprotect = `aws cloudformation update-termination-protection --no-enable-termination-protection ${of}`;
  return [...(isProtected ? [unprotect] : []), `aws cloudformation delete-stack ${of}`];
}

function undeclared(stack: DeployedStack, prefix: string, region: string, given: readonly string[]): ComparedStack {
  const { name, status, description } = stack;
  const id = stackIdIn(name, prefix);
  if (id === undefined) return { name, state: 'other deployment', status, description };
  if (status === 'DELETE_IN_PROGRESS') return { name, state: 'being deleted', status, description };
  return { name, state: 'not declared', status, description, fix: removal(stack, id, region, given) };
}

/**
 * Order of deletion. CloudFormation refuses to delete a stack while another imports its exports, as endpoints do
 * from `Platform`.
 */
const endpointsFirst = (one: ComparedStack, other: ComparedStack) =>
  Number(other.description?.startsWith(ENDPOINT) ?? false) - Number(one.description?.startsWith(ENDPOINT) ?? false);

/**
 * Returns each stack of this service once: first the declared stacks in their order, then the others in the order
 * in which they can be deleted.
 * @param region Region of the deployed stacks
 * @param settings of the command line, with which `cdk` selects the same stacks
 */
export function compareStacks(
  declared: readonly DeclaredStack[],
  deployed: readonly DeployedStack[],
  region: string,
  settings: Context = {},
): ComparedStack[] {
  const ownStacks = deployed.filter(({ description }) => description.startsWith(DESCRIPTION_PREFIX));
  const prefix = prefixOf(declared);
  const given = Object.entries(settings).map(([setting, value]) => `-c ${setting}=${value}`);
  const names = new Set(declared.map(({ name }) => name));
  const inGit = declared.map(({ id, name }): ComparedStack => {
    const stack = ownStacks.find((each) => each.name === name);
    if (!stack) return { name, state: 'not deployed', fix: [[`npx gpu-endpoints deploy ${id}`, ...given].join(' ')] };
    return { name, state: 'declared', status: stack.status, description: stack.description };
  });
  const rest = ownStacks
    .filter(({ name }) => !names.has(name))
    .map((stack) => undeclared(stack, prefix, region, given));
  return [...inGit, ...rest.toSorted(endpointsFirst)];
}
