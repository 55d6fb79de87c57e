import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export const LOOPBACK = '127.0.0.1';

/**
 * Returns a random address of this machine's loopback interface, which has 16 million on Linux. A web page cannot try
 * them all, so it does not find a server there.
 */
export const randomLoopback = (): string => ['127', randomInt(1, 255), randomInt(0, 256), randomInt(1, 255)].join('.');

/**
 * Ports below those that Linux and macOS give to outgoing connections. A connection could take one of those between
 * the check and the start of the process that is to listen.
 */
const [FIRST, LAST] = [10_000, 32_767];
/** Each process looks in order, from a random port: two processes that look at the same time rarely meet. */
let next = randomInt(FIRST, LAST + 1);

function nextPort(): number {
  const port = next;
  next = port === LAST ? FIRST : port + 1;
  return port;
}

async function isFree(port: number, host: string): Promise<boolean> {
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
  server.close();
  await once(server, 'close');
  return true;
}

/**
 * Finds a port on which no process listens now. Another process can take the port a moment later.
 * @param preferred port that is returned if it is free
 * @param host an address of the loopback interface
 * @throws if no port is free
 */
export async function freePort(preferred?: number, host: string = LOOPBACK): Promise<number> {
  if (preferred !== undefined && (await isFree(preferred, host))) return preferred;
  for (let checked = FIRST; checked <= LAST; checked++) {
    const port = nextPort();
    if (await isFree(port, host)) return port;
  }
  throw new Error(`No port from ${FIRST} to ${LAST} is free on ${host}.`);
}

async function accepts(port: number, host: string): Promise<boolean> {
  const socket = connect(port, host);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/**
 * Waits for a process that listens on the port.
 * @returns true as soon as a process listens; false if the signal is aborted first
 */
export async function listening(port: number, until: AbortSignal, host: string = LOOPBACK): Promise<boolean> {
  while (!until.aborted) {
    if (await accepts(port, host)) return true;
    await delay(5);
  }
  return false;
}
