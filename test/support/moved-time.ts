/**
 * Preloaded into the emulators' process, so that queues follow the time of the test. A message is hidden or
 * delayed exactly until the test's clock reaches its time. Periodic work runs only when the clock moves, because
 * the order of messages depends on it.
 *
 * Listens on the socket MOVED_TIME_SOCKET for lines with the current time in milliseconds, and answers each line
 * with `ok`.
 */
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

let now = Date.now();
Date.now = () => now;

const periodic: (() => void)[] = [];
const never = 2 ** 31 - 1;
const realInterval = globalThis.setInterval;
globalThis.setInterval = ((action: () => void) => {
  periodic.push(action);
  return realInterval(() => undefined, never);
}) as typeof setInterval;

const server = createServer((socket) => {
  createInterface(socket).on('line', (line) => {
    now = Number(line);
    for (const action of periodic) action();
    socket.write('ok\n');
  });
});
server.listen(process.env.MOVED_TIME_SOCKET);
server.unref();
