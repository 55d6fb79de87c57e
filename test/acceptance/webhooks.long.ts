/** Tests webhooks over HTTP, with the pipe and the state machine of the synthesized template. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { sharedAssembly } from './assembly.ts';
import {
  call,
  eventually,
  type LocalService,
  newStateDir,
  readStatus,
  startService,
  stopService,
  submit,
} from './local-service.ts';
import { describeDeadReceivers } from './webhooks/dead-receivers.ts';
import { type behaviours, type Post, type Receivers, startReceivers } from './webhooks/receivers.ts';

const stateDir = newStateDir();
let service: LocalService;
let receivers: Receivers;

beforeAll(async () => {
  receivers = await startReceivers();
  service = await startService(stateDir, { args: ['--assembly', await sharedAssembly()] });
}, 120_000);
afterAll(async () => {
  await stopService(service);
  receivers.stop();
});

/** Input that the worker returns as its output. Its JSON would change if it were parsed and serialized again. */
const INPUT = '{"n": 12345678901234567890, "zero":-0, "text":"\\u00e9"}';

async function submitted(path: string, input = INPUT): Promise<string> {
  const webhook = JSON.stringify(`${receivers.url}${path}`);
  const { status, json } = await submit(service, `{"input":${input},"webhook":${webhook}}`);
  expect({ path, status, json }).toMatchObject({ status: 200 });
  return String(json.id);
}

/** Returns the response of `/status` when the delivery has ended. */
const over = (id: string) =>
  eventually(`the webhook of ${id} has ended`, async () => {
    const answer = await readStatus(service, id);
    return (answer.json.webhook as { state: string }).state === 'PENDING' ? undefined : answer;
  });

/** Returns the milliseconds between consecutive posts. */
const pausesOf = (posts: readonly Post[]) => posts.slice(1).map(({ at }, n) => at - (posts[n]?.at ?? 0));

/** The delivery in the response of `/status`. */
type DeliveryState = Readonly<Record<'state' | 'attempts' | 'lastStatus' | 'lastError', unknown>>;
type Row = [behaviour: keyof typeof behaviours, posts: number, webhook: Partial<DeliveryState>];

const UNACKNOWLEDGED = { state: 'FAILED', attempts: 3, lastError: 'Only the status 200 acknowledges.' };

const rows: readonly Row[] = [
  ['ok', 1, { state: 'DELIVERED', attempts: 1, lastStatus: 200 }],
  ['third-time', 3, { state: 'DELIVERED', attempts: 3, lastStatus: 200 }],
  ['slow', 1, { state: 'DELIVERED', attempts: 1, lastStatus: 200 }],
  ['fourth-time', 3, { ...UNACKNOWLEDGED, lastStatus: 500 }],
  ['never', 3, { ...UNACKNOWLEDGED, lastStatus: 500 }],
  ['redirect', 3, { ...UNACKNOWLEDGED, lastStatus: 302 }],
  ['empty', 3, { ...UNACKNOWLEDGED, lastStatus: 204 }],
  ['garbage', 3, { state: 'FAILED', attempts: 3, lastError: expect.stringMatching(/^INVALID_ANSWER: /) }],
];

/** Ids of jobs by the behaviour of their receiver. */
const jobs = new Map<string, string>();
/** Milliseconds. */
const PAUSE = 10_000;
/** Milliseconds by which a call may be early, because the clocks of two processes are compared. */
const EARLY = 1_000;
/**
 * Milliseconds by which a call may be late on a busy machine. A pause that grows from call to call would be
 * longer.
 */
const LATE = 9_000;

describe('a receiver', () => {
  let secret: string;

  beforeAll(async () => {
    // All jobs run at the same time, because the longest delivery takes over 20 s.
    for (const [behaviour] of rows) jobs.set(behaviour, await submitted(`/${behaviour}/a`));
    jobs.set('failed', await submitted('/ok/failed', '{"op":"fail","message":"no"}'));
    await Promise.all([...jobs.values()].map(over));
    const shown = ['webhooks', 'secret', 'show', 'echo', '--env', 'local', '--json'];
    const env = { ...process.env, LOCAL_STATE_DIR: stateDir };
    const { secrets } = JSON.parse(execFileSync(process.execPath, ['bin/cli.ts', ...shown], { env }).toString());
    secret = secrets[0].secret;
  }, 240_000);

  it.each(rows)(
    'with the behaviour %s is called at intervals of 10 s (calls: %i)',
    async (behaviour, count, webhook) => {
      const posts = receivers.posts(`/${behaviour}/a`);
      expect((await readStatus(service, jobs.get(behaviour) ?? '')).json.webhook).toEqual(webhook);
      expect(posts).toHaveLength(count);
      for (const pause of pausesOf(posts)) {
        expect(pause).toBeGreaterThanOrEqual(PAUSE - EARLY);
        expect(pause).toBeLessThanOrEqual(PAUSE + LATE);
      }
    },
  );

  it('receives the response of /status without `webhook`, byte for byte, each time with the same id, and can verify it', async () => {
    for (const [behaviour, id] of jobs) {
      const posts = receivers.posts(behaviour === 'failed' ? '/ok/failed' : `/${behaviour}/a`);
      const { text } = await readStatus(service, id);
      const record = `${text.slice(0, text.indexOf(',"webhook":'))}}`;
      for (const { body, headers } of posts) {
        expect(body).toBe(record);
        expect(headers['webhook-id']).toBe(`msg_echo_${id}_0`);
        expect(headers['content-type']).toBe('application/json');
        expect(() => new Webhook(secret).verify(body, headers as Record<string, string>)).not.toThrow();
      }
    }
    expect(receivers.posts('/ok/a')[0]?.body).toContain(`"output":${INPUT}`);
    expect(receivers.posts('/ok/failed')[0]?.body).toContain('"error":"');
  });

  it('cannot redirect a delivery to another address', () => {
    expect(receivers.posts('/ok/redirected')).toEqual([]);
  });
});

describe('a receiver that did not acknowledge a delivery', () => {
  const listed = async () => {
    const { status, json } = await call(service, 'GET', `${service.JobApiUrl}/echo/webhooks`);
    expect(status).toBe(200);
    return json.webhooks as readonly { readonly id: string; readonly lastError: string }[];
  };

  it('is no error of a function in the terminal of `npm start`, but a line of its log', () => {
    expect(service.printed()).not.toContain('reports an error');
    const logs = join(stateDir, 'logs');
    const log = readdirSync(logs).filter((name) => name.includes('WebhooksDeliver'));
    expect(log.map((name) => readFileSync(join(logs, name), 'utf8')).join('')).toContain('was not acknowledged');
  });

  it('is called again after a request to resend the failed delivery', async () => {
    const id = jobs.get('fourth-time') ?? '';
    const failed = rows.filter(([, , { state }]) => state === 'FAILED').map(([behaviour]) => jobs.get(behaviour));
    expect(new Set((await listed()).map((one) => one.id))).toEqual(new Set(failed));

    const resend = () => call(service, 'POST', `${service.JobApiUrl}/echo/webhooks/${id}/resend`);
    expect(await resend()).toMatchObject({ status: 200, json: { id, completion: 0, state: 'PENDING' } });
    expect((await over(id)).json.webhook).toEqual({ state: 'DELIVERED', attempts: 1, lastStatus: 200 });
    const posts = receivers.posts('/fourth-time/a');
    expect(posts).toHaveLength(4);
    expect(new Set(posts.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size).toBe(1);
    expect((await listed()).map((one) => one.id)).not.toContain(id);
    expect(await resend()).toMatchObject({ status: 400, json: { code: 'WEBHOOK_NOT_FAILED' } });
  });

  it('is called again after the command resends the failed delivery', async () => {
    const env = { ...process.env, LOCAL_STATE_DIR: stateDir };
    const webhooks = (...args: string[]) =>
      execFileSync(process.execPath, ['bin/cli.ts', 'webhooks', ...args, '--env', 'local', '--json'], {
        env,
      }).toString();
    const listed = JSON.parse(webhooks('ls', 'echo')).webhooks as readonly { readonly id: string }[];
    const id = jobs.get('empty') ?? '';
    expect(listed.map((one) => one.id)).toContain(id);
    webhooks('resend', 'echo', '--job', id);
    await eventually('the receiver is called once more', () => receivers.posts('/empty/a').length > 3 || undefined);
  });
});

describe('webhook addresses', () => {
  it.each([
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/',
    'ftp://receiver.example/',
    'http://a@b/',
    '',
    7,
    null,
  ])('such as %j are refused', async (webhook) => {
    const { status, json } = await submit(service, JSON.stringify({ input: {}, webhook }));
    expect({ status, json }).toMatchObject({ status: 400, json: { code: 'INVALID_REQUEST' } });
    expect(json.error).toContain('`webhook` must ');
  });
});

describeDeadReceivers({ jobs: 10, repeats: 3, receivers: () => receivers, submitted });

describe('a change that is read twice because the whole stream is read again', () => {
  it('causes no further call', async () => {
    const logs = join(stateDir, 'logs');
    // Records that all readers have read are removed, except the newest record.
    const newest = await submitted('/ok/newest');
    await over(newest);
    const alive = () => receivers.all().filter(({ path }) => !path.startsWith('/dead/') && path !== '/ok/last').length;
    const before = alive();
    await stopService(service);
    const file = join(stateDir, 'stream-checkpoints.json');
    const checkpoints = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, object>);
    const others = checkpoints.filter(([reader]) => !reader.startsWith('Platform/Webhooks'));
    expect(others).toHaveLength(checkpoints.length - 1);
    writeFileSync(file, JSON.stringify(Object.fromEntries(others)));

    service = await startService(stateDir, { args: ['--assembly', await sharedAssembly()] });
    const id = await submitted('/ok/last');
    expect((await over(id)).json.webhook).toMatchObject({ state: 'DELIVERED' });
    const [log = ''] = readdirSync(logs).filter(
      (name) => name.includes('WebhooksDeliver') && !name.includes('.before'),
    );
    await eventually('the delivery of the newest job was checked again', () => {
      const lines = readFileSync(join(logs, log), 'utf8').split('\n');
      return lines.find((line) => line.includes(newest) && line.includes('"posted":false'));
    });
    expect(receivers.posts('/ok/newest')).toHaveLength(1);
    expect(alive()).toBe(before);
  });
});
