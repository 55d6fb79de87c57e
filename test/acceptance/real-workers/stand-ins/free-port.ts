/** Prints a port of the loopback address that no program uses. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

const server = createServer().listen(0, '127.0.0.1');
await once(server, 'listening');
console.log((server.address() as AddressInfo).port);
server.close();
