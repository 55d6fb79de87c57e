/** When the agent ends, and how: it drains on request, and gives up the rest when its container is stuck or gone. */
import { setTimeout as delay } from 'node:timers/promises';
import { AGENT_UNHEALTHY, SECOND, WATCH } from '../../core/limits.ts';
import { type Pause, sleep } from '../process.ts';
import type { Agent } from './agent.ts';
import type { AgentLog } from './ports.ts';

/**
 * How long held jobs may still take to end after SIGTERM. ECS stops the user's container first and gives it its own
 * time, so a job that is still held now belongs to a container that is gone or about to be.
 */
const DRAIN_GRACE = 5 * SECOND;

/**
 * How long held jobs may still take to end after the stop notice. Then the agent drains, for which it needs some 10 s,
 * and the capacity is gone 120 s after the notice.
 */
export const NOTICE_GRACE = 100 * SECOND;

export interface StopNoticeHost {
  readonly log: AgentLog;
  /** Whether ECS wants the task to end. */
  isToStop(): Promise<boolean>;
  readonly pause?: Pause;
}

/**
 * Polls whether ECS wants the task to end, and then retires the worker. Resolves when the held jobs have had their
 * time.
 *
 * ECS stops the containers of a task one after the other, and the agent last: of the two minutes that spot capacity
 * leaves a task, the user's container may take all. So the agent does not wait for its signal, and keeps for itself the
 * time that it needs to requeue jobs.
 */
export async function stopNotice(
  agent: Pick<Agent, 'retire'>,
  { log, isToStop, pause = sleep }: StopNoticeHost,
  signal: AbortSignal,
): Promise<void> {
  const hasNotice = () =>
    isToStop().catch((error: unknown) => {
      log.error('It is not known whether the task is to stop; asking again.', { error });
      return false;
    });
  while (!(await hasNotice())) {
    await pause(WATCH, signal);
    if (signal.aborted) return;
  }
  agent.retire({ why: 'ECS stops this task, so it takes no more jobs.', isReplaced: true });
  await pause(NOTICE_GRACE, signal);
}

/**
 * Waits until the agent has a reason to end, and shuts it down:
 *  - `asked` resolves, or the worker has retired and its last job has ended: the agent drains.
 *  - The user's container has no jobs left but lost ones that it does not stop, or it cannot be reached any more: the
 *    agent requeues its jobs and fails. It is an essential container, so ECS stops the whole task and starts another.
 * @param lost resolves with the reason why the container cannot be reached
 * @returns the exit code
 */
export async function runUntilShutdown(
  agent: Agent,
  asked: Promise<unknown>,
  log: AgentLog,
  lost: Promise<string> = new Promise(() => undefined),
): Promise<number> {
  const stuck = agent.stuck.then((jobs) => ({
    reason: 'The container has no jobs left but lost ones, which it does not stop, so the task ends.',
    fields: { jobs },
    exitCode: 1,
  }));
  const unreachable = lost.then((reason) => ({
    reason: `${reason} The task ends.`,
    fields: {},
    exitCode: AGENT_UNHEALTHY,
  }));
  const end = await Promise.race([stuck, unreachable, asked.then(() => 0), agent.retired]);
  if (typeof end === 'number') {
    log.info('The agent drains.', {});
    await agent.drain(DRAIN_GRACE);
    return end;
  }
  log.error(end.reason, end.fields);
  const drained = agent.drain(0).catch((error: unknown) => log.error('Jobs could not be requeued.', { error }));
  await Promise.race([drained, delay(DRAIN_GRACE, undefined, { ref: false })]);
  return end.exitCode;
}
