/** Plans a removal: the steps in their order, and what speaks against it. */
import { endpointOfStack } from '../../core/deployment.ts';
import type { Facts, OwnStack, Pool, Target } from './facts.ts';

export type Step =
  | { readonly do: 'delete'; readonly stacks: readonly OwnStack[] }
  /** Waits until the pools have no instances. */
  | { readonly do: 'wait'; readonly pools: readonly Pool[] };

export interface Plan {
  readonly steps: readonly Step[];
  /** Sentences that say why nothing can be removed now. */
  readonly refusals: readonly string[];
  /** Sentences about jobs that the removal stops. */
  readonly warnings: readonly string[];
}

const endpointOf = ({ stack }: OwnStack) => endpointOfStack(stack);
const isEndpoint = (stack: OwnStack) => endpointOf(stack) !== undefined;

/** Names of stacks after the endpoints, in the order of their deletion. CloudFormation refuses another order. */
const AFTER_ENDPOINTS = ['Templates', 'Management', 'Platform', 'Fleet', 'Storage'];

/** A stack that a deployment changes cannot be deleted. One that was never created, or is being deleted, can. */
const isBusy = ({ status }: OwnStack) =>
  status.endsWith('_IN_PROGRESS') && !['DELETE_IN_PROGRESS', 'REVIEW_IN_PROGRESS'].includes(status);

function stepsOf({ stacks, pools }: Facts, target: Target): Step[] {
  if (target.of === 'endpoint') {
    const its = stacks.filter((stack) => endpointOf(stack) === target.name);
    return its.length > 0 ? [{ do: 'delete', stacks: its }] : [];
  }
  if (target.of === 'pool') {
    const its = pools.filter(({ pool }) => pool === target.name);
    return its.length > 0 ? [{ do: 'wait', pools: its }] : [];
  }
  const shared = AFTER_ENDPOINTS.map((id) => stacks.find(({ stack }) => stack === id)).filter((stack) => !!stack);
  const deleted = shared.filter(({ stack }) => stack !== 'Storage' || target.withStorage);
  // A function in `Platform` ends the instances. CloudFormation cannot delete a group with instances in `Fleet`.
  const first = deleted.findIndex(({ stack }) => stack === 'Platform' || stack === 'Fleet');
  const deletions = deleted.map((stack): Step => ({ do: 'delete', stacks: [stack] }));
  const endpoints = stacks.filter(isEndpoint);
  return [
    ...(endpoints.length > 0 ? [{ do: 'delete', stacks: endpoints } as const] : []),
    ...(first < 0 || pools.length === 0 ? deletions : deletions.toSpliced(first, 0, { do: 'wait', pools })),
  ];
}

/** Returns the endpoints with jobs, in words. */
function jobsIn({ endpoints }: Facts, steps: readonly Step[]): string[] {
  const removed = steps.flatMap((step) => (step.do === 'delete' ? step.stacks.map(endpointOf) : []));
  const having = endpoints.filter(({ id, running, waiting }) => removed.includes(id) && running + waiting > 0);
  return having.map(({ id, running, waiting }) => `${id} has ${running} running and ${waiting} waiting jobs`);
}

function refusalsOf(facts: Facts, target: Target, steps: readonly Step[]): string[] {
  const deleted = steps.flatMap((step) => (step.do === 'delete' ? step.stacks : []));
  const busy = deleted
    .filter(isBusy)
    .map(({ name, status }) => `${name} is ${status}: wait until its deployment has ended.`);
  const used = steps.flatMap((step) => (step.do === 'wait' && target.of === 'pool' ? step.pools : []));
  const users = used.flatMap(({ pool, group }) => {
    const names = facts.endpoints.filter(({ instanceGroup }) => instanceGroup === group).map(({ id }) => id);
    return names.length > 0
      ? [`Endpoints use the pool ${pool}: ${names.join(', ')}. Remove them, or change their capacity and deploy.`]
      : [];
  });
  return [...busy, ...users];
}

/**
 * Returns the steps of the removal. Without steps, nothing is deployed that it would remove.
 * @param isForced whether endpoints are removed although they have jobs
 */
export function planOf(facts: Facts, target: Target, isForced = false): Plan {
  const steps = stepsOf(facts, target);
  const refusals = refusalsOf(facts, target, steps);
  const jobs = jobsIn(facts, steps);
  if (isForced) return { steps, refusals, warnings: jobs.map((sentence) => `${sentence}, which the removal stops.`) };
  const waits = jobs.map((sentence) => `${sentence}: wait until they have ended, or repeat the command with --force.`);
  return { steps, refusals: [...refusals, ...waits], warnings: [] };
}
