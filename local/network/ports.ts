import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export const LOOPBACK = '127.0.0.1';

async function portOf(wanted: number): Promise<number> {
  const server = createServer().listen(wanted, LOOPBACK);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Finds a port on which no process listens now. Another process can take the port a moment later.
 * @param preferred port that is returned if it is free
 */
export const freePort = (preferred = 0): Promise<number> => portOf(preferred).catch(() => portOf(0));

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, LOOPBACK);
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
export async function listening(port: number, until: AbortSignal): Promise<boolean> {
  while (!until.aborted) {
    if (await accepts(port)) return true;
    await delay(5);
  }
  return false;
}
