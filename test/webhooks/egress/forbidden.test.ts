/** Tests that the client never connects to a forbidden address, for any URL and any result of name resolution. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { webhookCallLimits } from '../../../core/limits.ts';
import type { Resolve } from '../../../lambda/webhooks/egress/names.ts';
import { createWebhookClient } from '../../../lambda/webhooks/egress/post.ts';
import { type Connections, watchConnections } from './connections.ts';
import { hostileNames, misleadingUrls, refusedUrls } from './hostile-urls.ts';
import { postElsewhere } from './post-elsewhere.ts';
import { answer, type Receiver, startReceiver } from './receiver.ts';

let sink: Receiver;
let connections: Connections;
const receivers: Receiver[] = [];

beforeAll(async () => {
  sink = await startReceiver((socket) => socket.end(answer('200 OK')));
});
afterAll(() => sink.stop());
beforeEach(() => {
  connections = watchConnections();
});
afterEach(async () => {
  connections.stop();
  await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()));
});

/** Starts a receiver for one test. */
async function start(converse: Parameters<typeof startReceiver>[0]): Promise<Receiver> {
  const receiver = await startReceiver(converse);
  receivers.push(receiver);
  return receiver;
}

/** Short limits, so that tests of refused connections finish quickly. */
const limits = { ...webhookCallLimits, connect: 300, answer: 300 };
const call = (url: string) => ({ url, headers: { 'content-type': 'application/json' }, body: '{}' });
const resolve: Resolve = async (host) => {
  const found = hostileNames[host];
  if (!found) throw new Error(`The corpus does not contain ${host}.`);
  return found;
};
const atSink = (host: string) => `http://${host}:${sink.port}/hook`;

it('counts an allowed call as one connection', async () => {
  const webhookClient = createWebhookClient({ allow: ['127.0.0.1'], resolve: async () => ['127.0.0.1'] });
  const impatient = createWebhookClient({ allow: ['127.0.0.1'], resolve: async () => ['127.0.0.1'], limits });
  expect(await webhookClient.post(call(atSink('hook.test')))).toEqual({ answered: true, status: 200 });
  expect(await webhookClient.post(call(atSink('127.0.0.1')))).toEqual({ answered: true, status: 200 });
  await impatient.post(call(`https://hook.test:${sink.port}/`));
  expect(connections.attempts).toEqual(Array(3).fill(`127.0.0.1 ${sink.port}`));
  expect(sink.connections).toBe(3);
});

describe('a URL of the corpus', () => {
  const webhookClient = createWebhookClient({ resolve, limits });

  it.each([...refusedUrls, ...misleadingUrls])('%j causes no connection', async (url) => {
    const outcome = await webhookClient.post(call(url));
    expect(outcome.answered).toBe(false);
    expect(JSON.stringify(outcome)).not.toMatch(/\b(10|127|169|192)\.\d|::/);
    expect(connections.attempts).toEqual([]);
  });

  it.each(Object.keys(hostileNames))(
    'with the host %s does not reach the server that listens at its address',
    async (host) => {
      const before = sink.connections;
      await webhookClient.post(call(atSink(host)));
      expect([connections.attempts, sink.connections]).toEqual([[], before]);
    },
  );

  it('causes no connection if its name resolves to an allowed and a forbidden address', async () => {
    const lenient = createWebhookClient({ allow: ['127.0.0.1'], resolve: async () => ['127.0.0.1', '10.0.0.5'] });
    expect(await lenient.post(call(atSink('mixed.test')))).toMatchObject({ reason: 'FORBIDDEN_ADDRESS' });
    expect(connections.attempts).toEqual([]);
  });
});

describe('a name that resolves to another address the second time', () => {
  it('is resolved once for each call, which uses the checked address', async () => {
    const asked: string[] = [];
    const rebinding: Resolve = async (host) => {
      asked.push(host);
      return [asked.length % 2 === 1 ? '127.0.0.1' : '127.0.0.2'];
    };
    const webhookClient = createWebhookClient({ allow: ['127.0.0.1'], resolve: rebinding });
    expect(await webhookClient.post(call(atSink('rebind.test')))).toEqual({ answered: true, status: 200 });
    expect([asked, connections.attempts]).toEqual([['rebind.test'], [`127.0.0.1 ${sink.port}`]]);

    expect(await webhookClient.post(call(atSink('rebind.test')))).toMatchObject({ reason: 'FORBIDDEN_ADDRESS' });
    expect(asked).toHaveLength(2);
    expect(connections.attempts).toHaveLength(1);
  });

  it('gets a new connection for each call', async () => {
    const open = await start((socket) => socket.write(answer('200 OK', 'Connection: keep-alive\r\n')));
    const webhookClient = createWebhookClient({ allow: ['127.0.0.1'], resolve: async () => ['127.0.0.1'] });
    for (const _ of [1, 2]) await webhookClient.post(call(`http://hook.test:${open.port}/`));
    expect(open.connections).toBe(2);
  });
});

it('calls the last of several addresses if the others refuse connections', async () => {
  const webhookClient = createWebhookClient({
    allow: ['127.0.0.0/8', '::1'],
    resolve: async () => ['127.0.0.3', '::1', '127.0.0.1'],
  });
  expect(await webhookClient.post(call(atSink('hook.test')))).toEqual({ answered: true, status: 200 });
  expect(connections.attempts.at(-1)).toBe(`127.0.0.1 ${sink.port}`);
});

describe('a redirect', () => {
  it.each([
    ['301 Moved Permanently', 'http://169.254.169.254/latest/meta-data/'],
    ['302 Found', 'http://169.254.169.254/latest/meta-data/'],
    ['303 See Other', 'http://127.0.0.2/'],
    ['307 Temporary Redirect', 'http://169.254.169.254/latest/meta-data/'],
    ['308 Permanent Redirect', 'https://169.254.170.2/v2/credentials'],
    ['302 Found', '//127.0.0.2/'],
    ['302 Found', '/elsewhere'],
    ['200 OK', 'http://169.254.169.254/'],
  ])('%s to %s is a response that the client does not follow', async (status, location) => {
    const receiver = await start((socket) =>
      socket.end(answer(status, `Location: ${location}\r\nRefresh: 0; url=${location}\r\n`)),
    );
    const webhookClient = createWebhookClient({ allow: ['127.0.0.0/8'] });
    const outcome = await webhookClient.post(call(`http://127.0.0.1:${receiver.port}/`));
    expect(outcome).toEqual({ answered: true, status: Number.parseInt(status, 10) });
    expect(connections.attempts).toEqual([`127.0.0.1 ${receiver.port}`]);
  });
});

it('uses no proxy, even if the environment sets one', async () => {
  const proxy = await start((socket) => socket.end(answer('502 Proxy')));
  const address = `http://127.0.0.1:${proxy.port}`;
  const proxies = { HTTP_PROXY: address, http_proxy: address, ALL_PROXY: address, NO_PROXY: '', no_proxy: '' };
  const outcome = await postElsewhere(atSink('hook.test'), { NODE_USE_ENV_PROXY: '1', ...proxies });
  expect([outcome, proxy.connections]).toEqual([{ answered: true, status: 200 }, 0]);
});

describe('a host name', () => {
  it('is reported as unresolved if the resolver fails or returns no address', async () => {
    const failing = createWebhookClient({ resolve: () => Promise.reject(new Error('queryA ESERVFAIL 10.0.0.2')) });
    const nowhere = { answered: false, reason: 'DNS', detail: 'The name of the host does not resolve to an address.' };
    expect(await failing.post(call('http://a.test/'))).toEqual(nowhere);
    expect(await createWebhookClient({ resolve: async () => [] }).post(call('http://a.test/'))).toEqual(nowhere);
  });

  it('that does not resolve within the limit causes a timeout', async () => {
    const silent = createWebhookClient({
      resolve: () => new Promise(() => {}),
      limits: { ...webhookCallLimits, name: 20 },
    });
    expect(await silent.post(call('http://a.test/'))).toMatchObject({ answered: false, reason: 'TIMEOUT' });
  });

  it('is resolved by the resolver of the system', async () => {
    const webhookClient = createWebhookClient({ allow: ['127.0.0.1', '::1'] });
    expect(await webhookClient.post(call(atSink('localhost')))).toEqual({ answered: true, status: 200 });
    expect(await createWebhookClient().post(call(atSink('localhost')))).toMatchObject({ reason: 'FORBIDDEN_ADDRESS' });
    expect(connections.attempts).toContain(`127.0.0.1 ${sink.port}`);
  });
});
