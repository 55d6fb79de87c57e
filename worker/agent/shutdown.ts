/** Decides when the agent exits. It drains on request, and requeues all jobs if its container is stuck or gone. */
import { endsWithin, type Pause, systemClock } from '../../core/clock.ts';
import { AGENT_UNHEALTHY, SECOND, WATCH } from '../../core/limits.ts';
import type { Agent } from './agent.ts';
import type { AgentLog } from './ports.ts';

/**
 * How long held jobs may run after SIGTERM, unless the user's container has exited. ECS stops the user's container
 * first, with its own stop timeout. A container that still runs is about to exit.
 */
const DRAIN_GRACE = 5 * SECOND;

/**
 * How long held jobs may run after the stop notice. Then the agent drains, which takes some 10 s. The capacity is
 * gone 120 s after the notice.
 */
export const NOTICE_GRACE = 100 * SECOND;

export interface StopNoticeHost {
  readonly log: AgentLog;
  /** Returns whether ECS wants the task to stop. */
  isToStop(): Promise<boolean>;
  readonly pause?: Pause;
}

/**
 * Polls whether ECS wants the task to stop, and retires the worker when it does. Resolves `NOTICE_GRACE` ms later,
 * or once `signal` aborts.
 *
 * ECS stops the containers of a task one after the other, and the agent last. The user's container may use all of
 * the two minutes that Spot capacity leaves a task. So the agent does not wait for SIGTERM, and reserves the time
 * that it needs to requeue jobs.
 */
export async function stopNotice(
  agent: Pick<Agent, 'retire'>,
  { log, isToStop, pause = systemClock.pause }: StopNoticeHost,
  signal: AbortSignal,
): Promise<void> {
  const hasNotice = () =>
    isToStop().catch((error: unknown) => {
      log.error('It is not known whether the task must stop; retrying.', { error });
      return false;
    });
  while (!(await hasNotice())) {
    await pause(WATCH, signal);
    if (signal.aborted) return;
  }
  agent.retire({ reason: 'ECS stops this task, so it takes no more jobs.', isReplaced: true });
  await pause(NOTICE_GRACE, signal);
}

export interface ShutdownHost {
  readonly log: AgentLog;
  /** Resolves when the agent must stop. */
  readonly asked: Promise<unknown>;
  /**
   * Resolves with the reason why the container cannot be reached.
   * @default - never
   */
  readonly lost?: Promise<string> | undefined;
  /**
   * Returns whether the user's container has exited, so that its jobs cannot end any more.
   * @default - false
   */
  readonly hasContainerExited?: () => Promise<boolean>;
}

/**
 * Waits until the agent has a reason to exit, and shuts it down:
 *  - `asked` resolves, or the worker has retired and its last job has ended: the agent drains. If the container has
 *    crashed, the agent requeues its jobs without a grace period, because ECS replaces the task only after it stops.
 *  - The user's container does not stop jobs that this worker has lost, and has no others, or it cannot be reached:
 *    the agent requeues its jobs and fails. The agent is an essential container, so ECS stops the whole task and
 *    starts another.
 * @returns the exit code
 */
export async function runUntilShutdown(agent: Agent, host: ShutdownHost): Promise<number> {
  const { log, asked, lost = new Promise<string>(() => undefined) } = host;
  const stuck = agent.stuck.then((jobs) => ({
    reason: 'The container does not stop its jobs, although this worker no longer holds any of them. The task stops.',
    fields: { jobs },
    exitCode: 1,
  }));
  const unreachable = lost.then((reason) => ({
    reason: `${reason} The task stops.`,
    fields: {},
    exitCode: AGENT_UNHEALTHY,
  }));
  const end = await Promise.race([stuck, unreachable, asked.then(() => 0), agent.retired]);
  if (typeof end === 'number') {
    log.info('The agent drains.', {});
    await agent.drain((await hasExited(host)) ? 0 : DRAIN_GRACE);
    return end;
  }
  log.error(end.reason, end.fields);
  const drained = agent.drain(0).catch((error: unknown) => log.error('Jobs could not be requeued.', { error }));
  await endsWithin(DRAIN_GRACE, drained);
  return end.exitCode;
}

async function hasExited({ log, hasContainerExited = async () => false }: ShutdownHost): Promise<boolean> {
  try {
    return await hasContainerExited();
  } catch (error) {
    log.error('It is not known whether the container has exited.', { error });
    return false;
  }
}
