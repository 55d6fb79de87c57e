/**
 * Preloaded into the process of the emulators: queues then keep the time of the test. A message is hidden or delayed until
 * the test's clock says so, and not a moment longer.
 *
 * Listens on the socket MOVED_TIME_SOCKET for lines with the present in milliseconds, and says `ok` to each.
 */
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

let now = Date.now();
Date.now = () => now;

const server = createServer((socket) => {
  createInterface(socket).on('line', (line) => {
    now = Number(line);
    socket.write('ok\n');
  });
});
server.listen(process.env.MOVED_TIME_SOCKET);
server.unref();
