/** Performs the steps of a removal. */
import pLimit from 'p-limit';
import { MINUTE, SECOND } from '../../core/limits.ts';
import type { Pool } from './facts.ts';
import type { Plan } from './plan.ts';
import { type Ports, removeStack } from './remove-stack.ts';

/** Maximum number of stacks that are deleted at the same time. */
export const MAX_AT_ONCE = 5;

/** Pause between two looks at instances. */
const TURN = 15 * SECOND;
/** ECS alone ends empty instances after 15 minutes, and workers have time to return their jobs before. */
const WAIT_LIMIT = 45 * MINUTE;

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** Returns the instances of pools in words, such as `nvidia: i-1 (g6.xlarge, InService)`. */
export function instancesIn(pools: readonly Pool[]): string {
  const having = pools.filter(({ instances }) => instances.length > 0);
  const lines = having.map(({ pool, instances }) => {
    const shown = instances.map(({ id, type, state }) => `${id} (${[type, state].filter(Boolean).join(', ')})`);
    return `${pool}: ${shown.join(', ')}`;
  });
  return lines.join('; ');
}

/**
 * Waits until the pools have no instances. CloudFormation cannot delete a group with instances that are protected from
 * scale-in, and only ECS and the service end such instances.
 * @throws Error with the commands that end the instances, if they do not end in time
 */
export async function waitForInstances({ account, clock, print }: Ports, pools: readonly Pool[]): Promise<void> {
  const until = clock.now() + WAIT_LIMIT;
  for (let shown = ''; ; await clock.pause(TURN)) {
    const groups = await account.instances(pools.map(({ group }) => group));
    const now = pools.map((pool) => ({ ...pool, instances: groups.get(pool.group) ?? [] }));
    const ids = now.flatMap(({ instances }) => instances.map(({ id }) => id));
    if (ids.length === 0) return print('The pools have no instances.');
    const message = `Waiting for ${count(ids.length, 'instance')} to end: ${instancesIn(now)}.`;
    if (message !== shown) print(message);
    shown = message;
    if (clock.now() < until) continue;
    const commands = ids.map(
      (id) =>
        `aws autoscaling terminate-instance-in-auto-scaling-group --should-decrement-desired-capacity --instance-id ${id}`,
    );
    throw new Error(
      `Instances did not end within ${WAIT_LIMIT / MINUTE} minutes. If no task runs on them, end them:\n${commands.join('\n')}`,
    );
  }
}

/**
 * Performs the steps one after the other. Stacks of one step are deleted side by side; if one fails, the others are
 * deleted all the same.
 * @param deleting receives the names of the stacks that are being deleted
 * @throws Error with the refusals of the plan, before its first step; or with the reasons, after the step that failed
 */
export async function perform(
  ports: Ports,
  { steps, refusals }: Plan,
  deleting: Set<string> = new Set(),
): Promise<void> {
  if (refusals.length > 0) throw new Error(refusals.join('\n'));
  const limit = pLimit(MAX_AT_ONCE);
  for (const step of steps) {
    if (step.do === 'wait') {
      await waitForInstances(ports, step.pools);
      continue;
    }
    const deletions = step.stacks.map((stack) =>
      limit(async () => {
        deleting.add(stack.name);
        try {
          await removeStack(ports, stack);
        } finally {
          deleting.delete(stack.name);
        }
      }),
    );
    const reasons = (await Promise.allSettled(deletions)).flatMap((result) =>
      result.status === 'rejected' ? [(result.reason as Error).message] : [],
    );
    if (reasons.length > 0) throw new Error(reasons.join('\n'));
  }
}
