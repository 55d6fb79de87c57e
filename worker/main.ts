/** The agent's process: a frame around `agent.ts` with its heartbeat, its door and its end. */
import { once } from 'node:events';
import { Logger } from '@aws-lambda-powertools/logger';
import { environment } from '../aws/environment.ts';
import { createWorld } from '../aws/world.ts';
import { BEAT, SECOND } from '../core/limits.ts';
import { type AgentLog, createAgent } from './agent.ts';
import { createGateway } from './gateway.ts';
import { taskId } from './task.ts';

/**
 * How long held jobs may still end after SIGTERM. ECS stops the user's container first and gives it its own time, so
 * what is still held now belongs to a container that is gone or about to be.
 */
const DRAIN_GRACE = 5 * SECOND;

async function main(log: AgentLog): Promise<void> {
  const config = {
    endpoint: environment('ENDPOINT_ID'),
    worker: await taskId(),
    queueUrls: [environment('NORMAL_QUEUE_URL'), environment('LOW_QUEUE_URL')],
  };
  const agent = createAgent(createWorld(), config, log);
  const gateway = createGateway(agent, log);
  await agent.beat();
  const heart = setInterval(() => {
    agent.beat().catch((error: unknown) => log.error('The lease could not be renewed.', { error }));
  }, BEAT);
  try {
    gateway.listen(Number(environment('AGENT_PORT')), '127.0.0.1');
    await once(gateway, 'listening');
    log.info('The agent is ready.', config);
    await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
    log.info('The agent drains.', config);
    await agent.drain(DRAIN_GRACE);
  } finally {
    clearInterval(heart);
    gateway.close();
    gateway.closeAllConnections();
  }
}

const logger = new Logger({ serviceName: 'agent' });
const log: AgentLog = {
  info: (message, fields) => logger.info(message, fields),
  error: (message, fields) => logger.error(message, fields),
};

main(log).catch((error: unknown) => {
  log.error('The agent failed.', { error });
  process.exitCode = 1;
});
