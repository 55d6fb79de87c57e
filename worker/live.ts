import { setTimeout as delay } from 'node:timers/promises';
import { AGENT_UNHEALTHY, SECOND, STOP_LIMIT } from '../core/limits.ts';
import type { Agent, AgentLog } from './agent.ts';

/**
 * How long held jobs may still end after SIGTERM. ECS stops the user's container first and gives it its own time, so
 * what is still held now belongs to a container that is gone or about to be.
 */
const DRAIN_GRACE = 5 * SECOND;

/**
 * Lives until it is asked to end, until the user's container wanted to be replaced and its last job has ended, until it
 * goes on with a job that it shall stop, or until it cannot be reached any more. In these two cases the agent gives its
 * other jobs up and fails. It is an essential container: when it ends, ECS stops the whole task and starts another.
 * @param lost resolves with why the container cannot be reached
 * @returns the exit code
 */
export async function live(
  agent: Agent,
  asked: Promise<unknown>,
  log: AgentLog,
  lost: Promise<string> = new Promise(() => undefined),
): Promise<number> {
  const overdue = agent.overdue.then((job) => ({
    reason: `The container still has a lost job ${STOP_LIMIT} ms after it was to stop, so the task ends.`,
    fields: { job },
    exitCode: 1,
  }));
  const unreachable = lost.then((reason) => ({
    reason: `${reason} The task ends.`,
    fields: {},
    exitCode: AGENT_UNHEALTHY,
  }));
  const failure = await Promise.race([overdue, unreachable, asked.then(() => undefined), agent.retired]);
  if (!failure) {
    log.info('The agent drains.', {});
    await agent.drain(DRAIN_GRACE);
    return 0;
  }
  log.error(failure.reason, failure.fields);
  const given = agent.drain(0).catch((error: unknown) => log.error('The other jobs were not given back.', { error }));
  await Promise.race([given, delay(DRAIN_GRACE, undefined, { ref: false })]);
  return failure.exitCode;
}
