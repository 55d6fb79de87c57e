/**
 * ECS stops the containers of a task one after the other, and the agent last: of the two minutes that spot capacity
 * leaves a task, the user's container may take all. So the agent does not wait for its signal. It asks whether its task is
 * to stop, and keeps for itself the time that giving jobs back takes.
 */
import { SECOND, WATCH } from '../../core/limits.ts';
import { sleep } from '../sleep.ts';
import type { Agent, AgentLog } from './agent.ts';

/**
 * Held jobs may still end for so long after the notice. Then the agent drains, for which it needs some 10 s, and the
 * capacity is gone 120 s after the notice.
 */
export const NOTICE_GRACE = 100 * SECOND;

export interface StopNoticeHost {
  readonly log: AgentLog;
  /** Whether ECS wants the task to end. */
  isToStop(): Promise<boolean>;
  readonly pause?: typeof sleep;
}

/** Takes no more jobs as soon as the task is to stop. Resolves when those that are held have had their time. */
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
