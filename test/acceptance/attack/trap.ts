/** A port of this machine that webhooks may not reach. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Ports of fewer digits would change the length of a body. */
const DIGITS = 5;

/** It does not keep the process alive. */
export async function setTrap(): Promise<{ port: string; count(): number }> {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.destroy();
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const port = String((server.address() as AddressInfo).port);
  if (port.length !== DIGITS) throw new Error(`The trap needs a port of ${DIGITS} digits, got ${port}.`);
  return { port, count: () => count };
}
