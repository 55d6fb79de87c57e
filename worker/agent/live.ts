import { setTimeout as delay } from 'node:timers/promises';
import { AGENT_UNHEALTHY, SECOND } from '../../core/limits.ts';
import type { Agent, AgentLog } from './agent.ts';

/**
 * How long held jobs may still end after SIGTERM. ECS stops the user's container first and gives it its own time, so
 * what is still held now belongs to a container that is gone or about to be.
 */
const DRAIN_GRACE = 5 * SECOND;

/**
 * Lives until it is asked to end, until the worker has retired and its last job has ended, until the user's container has
 * nothing left but jobs that it shall stop, or until it cannot be reached any more. In these two cases the agent gives up
 * what it holds and fails. It is an essential container: when it ends, ECS stops the whole task and starts another.
 * @param lost resolves with why the container cannot be reached
 * @returns the exit code
 */
export async function live(
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
  const given = agent.drain(0).catch((error: unknown) => log.error('The other jobs were not given back.', { error }));
  await Promise.race([given, delay(DRAIN_GRACE, undefined, { ref: false })]);
  return end.exitCode;
}
