/** Reads what is deployed. */
import pLimit from 'p-limit';
import { DESCRIPTION_PREFIX, endpointOfStack, stackIdIn, stackNameOf } from '../../core/deployment.ts';
import type { Account, DeployedStack, EndpointJobs, Instance, StackResource } from './account.ts';
import { type Kept, keptAmong, keptBy } from './kept.ts';

/** What the user wants to remove. */
export type Target =
  | { readonly of: 'endpoint'; readonly name: string }
  | { readonly of: 'pool'; readonly name: string }
  | { readonly of: 'deployment'; readonly withStorage: boolean };

/** A stack of the deployment, with its id in the CDK app, such as `Endpoint-echo`. */
export interface OwnStack extends DeployedStack {
  readonly stack: string;
}

/** A deployed pool with its Auto Scaling group. */
export interface Pool {
  readonly pool: string;
  readonly group: string;
  readonly instances: readonly Instance[];
}

export interface Facts {
  readonly deployment: string;
  readonly region: string;
  readonly account: string;
  /** The deployed stacks of the deployment. */
  readonly stacks: readonly OwnStack[];
  readonly pools: readonly Pool[];
  /** The registered endpoints. Empty if no stack needs them. */
  readonly endpoints: readonly EndpointJobs[];
  /** What remains in AWS after the removal. */
  readonly kept: readonly Kept[];
}

/** Maximum number of stacks that are read at the same time. */
const READS = 5;
const GROUP = 'AWS::AutoScaling::AutoScalingGroup';
const POOL_PATH = /\/Pool-([^/]+)\//;

async function poolsIn(account: Account, resources: readonly StackResource[]): Promise<Pool[]> {
  const groups = resources.flatMap(({ type, name, path = '' }) => {
    const pool = POOL_PATH.exec(path)?.[1];
    return type === GROUP && pool !== undefined ? [{ pool, group: name }] : [];
  });
  const instances = groups.length > 0 ? await account.instances(groups.map(({ group }) => group)) : new Map();
  return groups.map((its) => ({ ...its, instances: instances.get(its.group) ?? [] }));
}

/** Returns the stacks whose resources the command reads. */
function readStacks(stacks: readonly OwnStack[], target: Target): OwnStack[] {
  if (target.of === 'deployment') return [...stacks];
  if (target.of === 'pool') return stacks.filter(({ stack }) => stack === 'Fleet');
  return stacks.filter(({ stack }) => endpointOfStack(stack) === target.name);
}

/** Stacks that leave something in AWS. */
const LEAVING = ['Fleet', 'Storage'];

/** Returns what a stack has left, if it was deleted before. */
async function leftBy(account: Account, name: string, region: string): Promise<Kept[]> {
  const deleted = await account.deletedStack(name);
  return deleted === undefined ? [] : keptBy(account, await account.events(deleted), region);
}

export interface Place {
  readonly deployment: string;
  readonly region: string;
}

/**
 * Reads the stacks of the deployment, and all that the removal depends on.
 * @param isForced whether the removal does not depend on jobs, so that unreadable endpoints are no error
 * @throws CallFailed
 */
export async function readFacts(
  account: Account,
  { deployment, region }: Place,
  target: Target,
  isForced = false,
): Promise<Facts> {
  const [number, deployed] = await Promise.all([account.accountId(), account.stacks()]);
  const stacks = deployed.flatMap((its): OwnStack[] => {
    const stack = stackIdIn(its.name, stackNameOf(deployment, ''));
    return stack !== undefined && its.description.startsWith(DESCRIPTION_PREFIX) ? [{ ...its, stack }] : [];
  });
  const limit = pLimit(READS);
  const read = readStacks(stacks, target).map(({ id }) => limit(() => account.resources(id)));
  const resources = (await Promise.all(read)).flat();
  const ignored = (error: unknown) => {
    if (isForced && target.of !== 'pool') return [];
    throw error;
  };
  const table = stacks.find(({ stack }) => stack === 'Platform')?.outputs.EndpointsTable;
  const gone = target.of === 'deployment' ? LEAVING.filter((id) => !stacks.some(({ stack }) => stack === id)) : [];
  const [pools, endpoints, kept, before] = await Promise.all([
    poolsIn(account, resources),
    table === undefined ? [] : account.endpoints(table).catch(ignored),
    // The stack of a pool stays.
    target.of === 'pool' ? [] : keptAmong(account, resources, region),
    Promise.all(gone.map((id) => leftBy(account, stackNameOf(deployment, id), region))),
  ]);
  return { deployment, region, account: number, stacks, pools, endpoints, kept: [...kept, ...before.flat()] };
}
