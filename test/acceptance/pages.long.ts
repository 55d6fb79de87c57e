/**
 * Tests that a web page of another origin, and a program without a key, can read, write and run nothing while
 * `npm start` runs: in Chromium and over raw sockets, on every port of the run.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { MINUTE } from '../../core/limits.ts';
import { expectBrowser, openBrowser, withBrowser } from '../../packages/console/test/browser.ts';
import { sharedAssembly } from './assembly.ts';
import { type ListeningPort, listeningPorts, sendRaw } from './hostile/listeners.ts';
import {
  descendants,
  jobIn,
  type LocalService,
  newStateDir,
  readStatus,
  startService,
  stopService,
  submit,
} from './local-service.ts';
import { operatorSettings } from './operator.ts';

const EVIL = 'evil.example';
const stateDir = newStateDir();
let service: LocalService;
let keysTable: string;
let ports: ListeningPort[];
let pages: Server;
let browser: Browser | undefined;

beforeAll(async () => {
  service = await startService(stateDir, { args: ['--assembly', await sharedAssembly()] });
  keysTable = (service as unknown as { readonly KeysTable: string }).KeysTable;
  // A worker with an agent runs, and waits for the next job.
  for (const endpoint of ['echo', 'echo-http']) {
    const { json } = await submit(service, '{"input":{}}', endpoint);
    await jobIn(service, json.id, 'COMPLETED', MINUTE, endpoint);
  }
  const pid = service.process.pid ?? 0;
  ports = listeningPorts([pid, ...descendants(pid)]);
  pages = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<title>Evil</title>'));
  await once(pages.listen(0, '127.0.0.1'), 'listening');
  if (withBrowser) browser = await openBrowser([`--host-resolver-rules=MAP ${EVIL} 127.0.0.1`]);
}, 4 * MINUTE);

afterAll(async () => {
  await browser?.close();
  pages?.close();
  await stopService(service);
});

/** The ports that a page can find, because their address is the one that every page tries. */
const findable = () => ports.filter(({ host }) => host === '127.0.0.1' || host === '0.0.0.0');
const isUserCode = ({ command }: ListeningPort) => command.includes('examples/');
/** The ports of the job interface, the management interface and the console. */
const isPublic = ({ port }: ListeningPort) => {
  const gateway = JSON.parse(readFileSync(join(stateDir, 'gateway.json'), 'utf8')) as { readonly port: number };
  return port === gateway.port || port === Number(new URL(service.ConsoleUrl).port);
};

const attachPort = () => (service as unknown as { readonly Attach: { readonly port: number } }).Attach.port;

const storedKeys = async (): Promise<number> => {
  const dynamodb = new DynamoDBClient(operatorSettings(stateDir));
  const { Count = 0 } = await dynamodb.send(new ScanCommand({ TableName: keysTable }));
  dynamodb.destroy();
  return Count;
};

const AUTHORIZATION = `AWS4-HMAC-SHA256 Credential=operator/20261127/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=${'0'.repeat(64)}`;
const ofSecrets = AUTHORIZATION.replace('dynamodb', 'secretsmanager');

/** The requests with which the page tries a port. */
const attempts = () => {
  const item = JSON.stringify({ TableName: keysTable, Item: { hash: { S: 'evil' } } });
  const target = { 'x-amz-target': 'DynamoDB_20120810.PutItem', authorization: AUTHORIZATION };
  return [
    ['/', {}],
    ['/', { mode: 'no-cors', method: 'POST', body: item }],
    ['/', { method: 'POST', headers: { ...target, 'content-type': 'application/x-amz-json-1.0' }, body: item }],
    ['/', { method: 'POST', headers: { ...target, 'x-amz-target': 'secretsmanager.ListSecrets' }, body: '{}' }],
    ['/v2/echo/job-take/evil', {}],
    ['/v2/echo/job-take/evil?job_in_progress=0', { mode: 'no-cors' }],
    ['/v2/echo/status-sync/evil', { headers: { 'x-gateway-owner': 'platform' } }],
    ['/v2/echo/health', {}],
    ['/v1/session', {}],
  ] as const;
};

/**
 * Runs the attempts in the page.
 * @returns what the page could read
 */
const tryAll = (page: Page, origin: string) =>
  page.evaluate(
    async ([base, all]) => {
      const read: string[] = [];
      for (const [path, init] of all)
        try {
          const response = await fetch(base + path, { ...init, signal: AbortSignal.timeout(2_000) } as RequestInit);
          if (response.type !== 'opaque')
            read.push(`${init && 'method' in init ? init.method : 'GET'} ${path} ${response.status}`);
        } catch {
          // The browser does not let the page read the response.
        }
      return read;
    },
    [origin, attempts()] as const,
  );

describe('the emulators that check nothing', () => {
  it('listen where no page can try to find them', () => {
    const commands = findable().map(({ command }) => command);
    expect(commands.filter((command) => /dynoxide|emulators-process|ingress\/main/.test(command))).toEqual([]);
    expect(ports.filter(({ host }) => !host.startsWith('127.'))).toEqual([]);
    const hidden = ports.filter(({ command }) => /dynoxide|emulators-process/.test(command));
    expect(hidden).toHaveLength(2);
  });
});

describe('a program without a key', () => {
  it.each([
    ['a foreign Host', `Host: ${EVIL}\r\n`],
    ['an Origin', `Host: 127.0.0.1\r\nOrigin: http://${EVIL}\r\n`],
    ['a signature of zeros', `Host: 127.0.0.1\r\nAuthorization: ${ofSecrets}\r\n`],
  ])('gets nothing from any port with %s', async (_, headers) => {
    const body = '{}';
    const internal = findable().filter((port) => !isPublic(port) && !isUserCode(port));
    expect(internal.length).toBeGreaterThan(3);
    for (const port of internal)
      for (const [method, path, target] of [
        ['GET', '/v2/echo/job-take/evil?job_in_progress=0', ''],
        ['POST', '/', 'X-Amz-Target: secretsmanager.ListSecrets\r\n'],
      ]) {
        // Without a signature, an agent answers its worker; its Host and Origin are checked.
        if (headers.includes('Signature') && method === 'GET') continue;
        const request = `${method} ${path} HTTP/1.1\r\n${headers}${target}Connection: close\r\nContent-Length: ${method === 'POST' ? 2 : 0}\r\n\r\n${method === 'POST' ? body : ''}`;
        const [status = ''] = (await sendRaw(port, request)).split('\r\n', 1);
        // The server for `npx gpu-endpoints worker` closes the connection, because the request is not JSON.
        const refused = port.port === attachPort() ? '' : expect.stringMatching(/^HTTP\/1\.1 40[0-9] /);
        expect([port.command, status]).toEqual([port.command, refused]);
      }
  });
});

describe('a web page', () => {
  it('is tested if Chromium is installed', () => expectBrowser('a page of another origin'));

  it(
    'reads and changes nothing on any port, from its own origin',
    async () => {
      if (!browser) return;
      const before = await storedKeys();
      const page = await browser.newPage();
      await page.goto(`http://${EVIL}:${(pages.address() as AddressInfo).port}/`);
      const read: unknown[] = [];
      for (const port of findable().filter((each) => !isUserCode(each)))
        read.push(...(await tryAll(page, `http://127.0.0.1:${port.port}`)).map((what) => [port.command, what]));
      await page.close();
      expect(read).toEqual([]);
      expect(await storedKeys()).toBe(before);
    },
    3 * MINUTE,
  );

  it(
    'is refused by every port but the public ones if its domain points at this machine',
    async () => {
      if (!browser) return;
      const before = await storedKeys();
      for (const port of findable().filter((each) => !isUserCode(each))) {
        const page = await browser.newPage();
        const origin = `http://${EVIL}:${port.port}`;
        const opened = await page.goto(`${origin}/`).catch(() => undefined);
        // The browser shows no page for the attach server, which is no HTTP server.
        if (opened) {
          const answered = (await tryAll(page, origin)).map((what) => what.split(' ').at(-1));
          const served = answered.filter((status) => status === '200');
          // The page at `/` contains the addresses of the interfaces.
          expect([port.command, served.length]).toEqual([port.command, isPublic(port) ? expect.any(Number) : 0]);
          if (isPublic(port))
            expect(answered.slice(4)).toEqual(answered.slice(4).map(() => expect.stringMatching(/^40/)));
        }
        await page.close();
      }
      expect(await storedKeys()).toBe(before);
    },
    3 * MINUTE,
  );

  it('has taken no job from the worker', async () => {
    const { json } = await submit(service, '{"input":{"text":"still here"}}');
    await jobIn(service, json.id, 'COMPLETED', MINUTE);
    const { json: record } = await readStatus(service, json.id);
    expect(record).toMatchObject({ attempts: 1, output: { text: 'still here' } });
  });
});
