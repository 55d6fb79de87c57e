/** Listens on a port of this machine that webhooks must not reach. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Number of digits of the port. Fewer digits would change the length of a body. */
const DIGITS = 5;

/** Starts the trap. It does not keep the process running. */
export async function setTrap(): Promise<{ port: string; count(): number }> {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.destroy();
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const port = String((server.address() as AddressInfo).port);
  if (port.length !== DIGITS) throw new Error(`The port of the trap must have ${DIGITS} digits, got ${port}.`);
  return { port, count: () => count };
}
