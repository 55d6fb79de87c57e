import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { freePort, LOOPBACK } from '../../network/ports.ts';

const server = createServer();
afterEach(() => new Promise((resolve) => server.close(resolve)));

/** Listens on the port. If another process listens on it, that process serves the test just as well. */
const listen = (port: number): Promise<unknown> =>
  new Promise((resolve) => server.once('error', resolve).listen(port, LOOPBACK, () => resolve(undefined)));

const LINUX_RANGE = '/proc/sys/net/ipv4/ip_local_port_range';
/** Returns the first port that the system gives to outgoing connections: that of macOS if there is no Linux file. */
const firstOutgoing = (): number =>
  existsSync(LINUX_RANGE) ? Number.parseInt(readFileSync(LINUX_RANGE, 'utf8'), 10) : 49_152;

describe('freePort', () => {
  it('returns no port that the system could give to an outgoing connection before a process listens', async () => {
    for (let n = 0; n < 100; n++) expect(await freePort()).toBeLessThan(firstOutgoing());
  });

  it('returns the preferred port only if no process listens on it', async () => {
    const port = await freePort();
    expect(await freePort(port)).toBe(port);
    await listen(port);
    expect(await freePort(port)).not.toBe(port);
  });

  it('skips a port on which a process listens', async () => {
    const used = (await freePort()) + 1;
    await listen(used);
    const found = await Promise.all(Array.from({ length: 3 }, () => freePort()));
    expect(found).not.toContain(used);
  });
});
