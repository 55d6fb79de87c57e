/** Compares the deployed stacks with those that Git declares. */
import type { DeclaredStack } from '../synthesized/app.ts';
import type { DeployedStack } from './deployed.ts';

/**
 * - `declared`: deployed, and declared in Git
 * - `not deployed`: declared in Git alone
 * - `not declared`: deployed alone, so it serves and is charged until it is deleted
 * - `being deleted`: not declared, and CloudFormation is deleting it
 * - `other deployment`: its name has the prefix of another deployment, about which this repository knows nothing
 */
export type State = 'declared' | 'not deployed' | 'not declared' | 'being deleted' | 'other deployment';

export interface ComparedStack {
  readonly name: string;
  readonly state: State;
  /** As CloudFormation calls it. @default - it is not deployed */
  readonly status?: string;
  readonly description?: string;
  /** Commands that make declaration and deployment agree, in their order. */
  readonly fix?: readonly string[];
}

const NAME = /^(?:Storage|Fleet|Platform|Templates|Endpoint-.+)$/;
const ENDPOINT = 'gpu-endpoints: endpoint ';

/** What stands before the name of each stack of this deployment: nothing, unless the app gives stacks names of their own. */
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
  const isOfThis = name.startsWith(prefix) && NAME.test(name.slice(prefix.length));
  if (!isOfThis) return { name, state: 'other deployment', status, description };
  if (status === 'DELETE_IN_PROGRESS') return { name, state: 'being deleted', status, description };
  return { name, state: 'not declared', status, description, fix: removal(stack, region) };
}

/** CloudFormation deletes no stack whose exports another imports: endpoints import of all others. */
const endpointsFirst = (one: ComparedStack, other: ComparedStack) =>
  Number(other.description?.startsWith(ENDPOINT) ?? false) - Number(one.description?.startsWith(ENDPOINT) ?? false);

/**
 * Each stack once: the declared ones in their order, then the others in the order in which they can be deleted.
 * @param region where they are deployed
 */
export function compareStacks(
  declared: readonly DeclaredStack[],
  deployed: readonly DeployedStack[],
  region: string,
): ComparedStack[] {
  const prefix = prefixOf(declared);
  const names = new Set(declared.map(({ name }) => name));
  const inGit = declared.map(({ id, name }): ComparedStack => {
    const stack = deployed.find((each) => each.name === name);
    if (!stack) return { name, state: 'not deployed', fix: [`npx cdk deploy ${id}`] };
    return { name, state: 'declared', status: stack.status, description: stack.description };
  });
  const rest = deployed.filter(({ name }) => !names.has(name)).map((stack) => undeclared(stack, prefix, region));
  return [...inGit, ...rest.toSorted(endpointsFirst)];
}
