/**
 * Preloaded into the process of the emulators: queues then keep the time of the test. A message is hidden or delayed until
 * the test's clock says so, and not a moment longer. What is done from time to time is done whenever the clock moves, and
 * at no other time: the order of messages depends on it.
 *
 * Listens on the socket MOVED_TIME_SOCKET for lines with the present in milliseconds, and says `ok` to each.
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
