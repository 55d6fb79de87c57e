/**
 * The process of the agent: reads its settings, starts the agent with its timers and its gateway, and exits when
 * the agent does.
 */
import { once } from 'node:events';
import { environment, optionalEnvironment } from '../aws/environment.ts';
import { createSecretPorts } from '../aws/secret-ports.ts';
import { BEAT, idleTimeoutLimits, WATCH } from '../core/limits.ts';
import { serverFrom } from '../core/workers/server-settings.ts';
import { volumeFrom } from '../core/workers/volume-metrics.ts';
import { createAgent } from './agent/agent.ts';
import type { AgentLog } from './agent/ports.ts';
import { createProtection } from './agent/protection.ts';
import { runUntilShutdown, stopNotice } from './agent/shutdown.ts';
import { hasContainerExited, isToStop, ownTask } from './agent/task.ts';
import { createVolumeWatch } from './agent/volume.ts';
import { createGateway } from './gateway/server.ts';
import { openSlots } from './http/slots.ts';
import { createLog } from './log.ts';
import { onEndSignal } from './process.ts';

const numberIn = (text: string | undefined) => (text === undefined ? undefined : Number(text));

async function main(log: AgentLog): Promise<void> {
  const server = serverFrom(optionalEnvironment);
  const config = {
    endpoint: environment('ENDPOINT_ID'),
    ...(await ownTask()),
    normalQueueUrls: environment('NORMAL_QUEUE_URLS').split(' '),
    lowQueueUrls: environment('LOW_QUEUE_URLS').split(' '),
    idleTimeout: Number(optionalEnvironment('IDLE_TIMEOUT') ?? idleTimeoutLimits.default),
    concurrency: numberIn(optionalEnvironment('CONCURRENCY')),
    isServer: server !== undefined,
  };
  const ports = createSecretPorts();
  const protection = createProtection({
    uri: optionalEnvironment('ECS_AGENT_URI'),
    clock: ports.clock,
    onError: (error) => log.error('The protection from scale-in could not be changed.', { error }),
  });
  const agent = createAgent(ports, config, { log, protection, elapsed: () => performance.now() });
  const gateway = createGateway(agent, log);
  await agent.beat();
  // An interval: with a pause after each action instead, slow calls would make the period longer.
  const repeat = (action: () => Promise<void>, period: number, failure: string) =>
    setInterval(() => action().catch((error: unknown) => log.error(failure, { error })), period);
  const timers = [
    repeat(agent.beat, BEAT, 'The lease could not be renewed.'),
    repeat(agent.watch, WATCH, 'The jobs could not be watched.'),
  ];
  const volume = volumeFrom(optionalEnvironment);
  if (volume) {
    const { measure } = createVolumeWatch(ports, { ...config, volume }, { log, isFree: agent.isFree });
    timers.push(repeat(measure, WATCH, 'The volume could not be measured.'));
  }
  const ending = new AbortController();
  const signalled = new Promise<void>((resolve) => onEndSignal(resolve));
  const asked = Promise.race([signalled, stopNotice(agent, { log, isToStop }, ending.signal)]);
  try {
    gateway.listen(Number(environment('AGENT_PORT')), '127.0.0.1');
    await once(gateway, 'listening');
    log.info('The agent is ready.', { ...config, server });
    const slots = server && openSlots(agent, server, { clock: ports.clock, log });
    process.exitCode = await runUntilShutdown(agent, { log, asked, lost: slots?.lost, hasContainerExited });
  } finally {
    ending.abort();
    for (const timer of timers) clearInterval(timer);
    gateway.close();
    gateway.closeAllConnections();
  }
}

const log = createLog();

main(log)
  .catch((error: unknown) => {
    log.error('The agent failed.', { error });
    process.exitCode = 1;
  })
  // A call that is still being retried must not keep the task running.
  .finally(() => process.exit());
