/**
 * The ingress: serves the calls of the job interface that wait, and bodies that are too large for a function.
 *
 *     node ingress/main.ts [--host ADDRESS]    address to listen on; by default all addresses, for a container
 */
import { parseArgs } from 'node:util';
import { Logger } from '@aws-lambda-powertools/logger';
import { environment, optionalEnvironment } from '../aws/environment.ts';
import { createSecretPorts } from '../aws/secret-ports.ts';
import { createSlotHolder } from '../aws/waiting-calls/slot-holders.ts';
import { portVariables } from '../core/http/ingress.ts';
import { reportSetAside } from '../lambda/set-aside.ts';
import { createHandlers } from './handlers.ts';
import { createMemory } from './memory.ts';
import { countOpenCalls } from './open-calls.ts';
import { createBodyReader } from './request-body.ts';
import { close, createIngressServer, directListener, gatewayListener, listen } from './server.ts';

const logger = new Logger();

/**
 * Resolves at the first signal. The listeners remain, so that a second signal does not stop the process while calls are
 * open.
 */
const asked = new Promise<void>((resolve) => {
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => resolve());
});

async function main(): Promise<void> {
  const { host } = parseArgs({ options: { host: { type: 'string', default: '0.0.0.0' } } }).values;
  const holder = createSlotHolder();
  const ports = createSecretPorts({ onUnreadable: (item) => reportSetAside([item]), holder });
  const memory = createMemory();
  const open = countOpenCalls();
  let isDraining = false;
  const parts = {
    handlers: createHandlers(ports, memory),
    bodies: createBodyReader(memory),
    open,
    origin: optionalEnvironment('CORS_ORIGIN'),
    onFailure: (failure: object) => logger.error('The request failed.', { ...failure }),
    onTraced: (request: object) => logger.info('Traced request.', { ...request }),
    isDraining: () => isDraining,
  };
  const servers = {
    gateway: createIngressServer(parts, gatewayListener),
    direct: createIngressServer(parts, directListener(ports)),
  };
  await holder.start();
  for (const name of ['gateway', 'direct'] as const)
    await listen(servers[name], Number(environment(portVariables[name])), host);
  logger.info('The ingress is ready.');

  await asked;
  isDraining = true;
  logger.info('The ingress stops when its calls have ended.', { calls: open.count() });
  await Promise.all(Object.values(servers).map(close));
  open.stop();
  await holder.stop();
}

main()
  .catch((error: unknown) => {
    logger.error('The ingress failed.', { error });
    process.exitCode = 1;
  })
  .finally(() => process.exit());
