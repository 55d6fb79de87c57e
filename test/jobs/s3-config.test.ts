import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Ports, portsWith } from '../../aws/ports.ts';
import { removeAfterLastUse } from '../../core/jobs/ending.ts';
import { loadS3Config } from '../../core/jobs/payload.ts';
import type { Payloads } from '../../core/jobs/store.ts';
import { MINUTE } from '../../core/limits.ts';
import { runSync } from '../../core/status/runsync.ts';
import { status } from '../../core/status/status.ts';
import { retry } from '../../core/submission/retry.ts';
import { run } from '../../core/submission/submit.ts';
import { finish } from '../../core/workers/report.ts';
import { eventually } from '../acceptance/local-service.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { type Agents, createAgents, forever, log } from '../worker/agents.ts';
import { submitJob, takeJob } from './scripted-job.ts';

const CANARY = 'canary-7f3a9b';
/** JSON that `JSON.stringify` would write differently. */
const S3_CONFIG = `{ "accessSecret":"${CANARY}", "n":12345678901234567890, "objectPath":{"\\u00e9":-0} }`;

const emulated = useEmulatedDeployment();
const { ports } = emulated;
let agents: Agents;

beforeAll(async () => {
  agents = createAgents(emulated);
});
afterEach(() => agents.end());

const submit = async (endpoint: string, s3Config = S3_CONFIG) => {
  const { id } = await run(ports, { endpoint, owner: 'ada', body: Buffer.from(`{"input":{},"s3Config":${s3Config}}`) });
  return { endpoint, id };
};

describe('the s3Config', () => {
  it.each([
    ['in the payloads table', 's3-a', { stored: 's3Config', bytes: expect.any(Number) }, 0],
    [
      'in the bucket',
      's3-b',
      { object: expect.stringMatching(/^8\/s3-b\/.+\/s3Config$/), bytes: expect.any(Number) },
      7_000,
    ],
  ])('is stored encrypted %s', async (_, endpoint, place, more) => {
    await emulated.deploy(endpoint);
    const text = S3_CONFIG.replace('{', `{"more":"${'x'.repeat(more)}",`);
    const key = await submit(endpoint, text);
    const job = await ports.jobs.read(key);
    expect(job?.s3Config).toEqual(place);
    const ref = job?.s3Config ?? { inline: '' };
    const stored =
      'object' in ref ? String(await ports.objects.read(ref.object)) : await ports.payloads.read(key, 's3Config');
    const decoded = Buffer.concat(stored.split('.').map((part) => Buffer.from(part, 'base64'))).toString('latin1');
    for (const place of [JSON.stringify(job), stored, decoded, String(await status(ports, key))])
      expect(place).not.toMatch(/canary|accessSecret|x{20}/);
    expect(await loadS3Config(ports, await takeJob(ports, endpoint, key.id))).toBe(text);
  });

  it('cannot be decrypted for another job or endpoint, or after a change', async () => {
    await emulated.deploy('s3-c');
    const key = await submit('s3-c');
    const sealed = await ports.payloads.read(key, 's3Config');
    expect(await ports.secrets.open(key, sealed)).toBe(S3_CONFIG);
    const opened = [
      ports.secrets.open({ ...key, id: `${key.id}x` }, sealed),
      ports.secrets.open({ ...key, endpoint: 's3-x' }, sealed),
      ports.secrets.open(key, `${sealed.slice(0, -8)}AAAAAAA=`),
      ports.secrets.open(key, 'nothing'),
    ];
    for (const outcome of await Promise.allSettled(opened)) expect(outcome.status).toBe('rejected');
  });

  it('is encrypted separately for each job, so that equal values differ when stored', async () => {
    await emulated.deploy('s3-d');
    const [one, two] = await Promise.all([submit('s3-d'), submit('s3-d')]);
    const parts = async (key: typeof one) => (await ports.payloads.read(key, 's3Config')).split('.');
    const [first, second] = await Promise.all([parts(one), parts(two)]);
    for (const [index, part] of first.entries()) expect(second[index]).not.toBe(part);
  });

  it('reaches the first worker and the worker of a second attempt as the client wrote it', async () => {
    await emulated.deploy('s3-e');
    const { id } = await submit('s3-e');
    const url = `${await agents.open(await agents.start('s3-e', 'w1'))}/v2/s3-e`;
    const taken = await (await fetch(`${url}/job-take/self`)).text();
    expect(taken).toBe(`{"id":"${id}","attempt":1,"input":{},"s3Config":${S3_CONFIG}}`);
    await fetch(`${url}/job-done/self/${id}`, { method: 'POST', body: '{"error":"no"}' });
    expect(String(await status(ports, { endpoint: 's3-e', id }))).not.toContain(CANARY);
    emulated.clock.advance(MINUTE);
    await retry(ports, { endpoint: 's3-e', id });
    expect(await (await fetch(`${url}/job-take/self`)).text()).toContain(
      `"attempt":2,"input":{},"s3Config":${S3_CONFIG}`,
    );
  });

  it('is retained for another run by a retry, which cannot decrypt it', async () => {
    await emulated.deploy('s3-f');
    const key = await submit('s3-f');
    await finish(ports, await takeJob(ports, 's3-f', key.id), { error: 'no' });
    emulated.clock.advance(10 * MINUTE);
    const kept: unknown[] = [];
    const recording = portsWith(ports, {
      secrets: undefined,
      payloads: {
        read: ports.payloads.read,
        write: async (...[job, name, , removeAfter]: Parameters<Payloads['write']>) => {
          kept.push([job.id, name, removeAfter]);
        },
      },
    });
    await retry(recording, key);
    const job = await takeJob(ports, 's3-f', key.id);
    expect(kept).toEqual([[key.id, 's3Config', removeAfterLastUse(job, emulated.clock.now())]]);
  });

  it('uses up the attempts of its job if it cannot be decrypted, and is not logged', async () => {
    await emulated.deploy('s3-g');
    const key = await submit('s3-g');
    const logged: unknown[] = [];
    const recordingLog = { ...log, error: (...args: unknown[]) => void logged.push(args) };
    const denied = async () => Promise.reject(new Error('AccessDeniedException'));
    const refused = portsWith(ports, { secrets: { ...ports.secrets, open: denied } });
    const agent = await agents.start('s3-g', 'w1', { log: recordingLog, ports: refused });
    void agent.next(forever);
    await eventually('the job has failed', async () => (await ports.jobs.read(key))?.status === 'FAILED' || undefined);
    expect(JSON.parse(String(await status(ports, key)))).toMatchObject({ status: 'FAILED', code: 'WORKER_LOST' });
    expect(String(logged.flat())).toContain('could not be taken');
    expect(JSON.stringify(logged)).not.toContain(CANARY);
  });

  it('is optional: a job without s3Config causes no call to KMS', async () => {
    await emulated.deploy('s3-h');
    const id = await submitJob(portsWith(ports, { secrets: undefined }) as Ports, 's3-h');
    const job = await takeJob(ports, 's3-h', id);
    expect(job).not.toHaveProperty('s3Config');
    expect(await loadS3Config(portsWith(ports, { secrets: undefined }) as Ports, job)).toBeUndefined();
  });

  it('is refused by /run and /runsync if it is invalid, and nothing is stored', async () => {
    await emulated.deploy('s3-i');
    await expect(submit('s3-i', `{"accessSecret":["${CANARY}"]}`)).rejects.toThrow('`s3Config.accessSecret` must be');
    const body = `{"input":{},"s3Config":"${CANARY}"}`;
    const refused = runSync(ports, { endpoint: 's3-i', owner: 'ada', body: Buffer.from(body) });
    await expect(refused).rejects.toThrow('`s3Config` must be an object.');
    expect(await Array.fromAsync(ports.jobs.list('s3-i'))).toEqual([]);
  });

  it('is refused if KMS does not return a data key', async () => {
    await emulated.deploy('s3-j');
    const denied = async () => Promise.reject(new Error('KMS is not available.'));
    const refused = portsWith(ports, { secrets: { ...ports.secrets, seal: denied } });
    const body = `{"input":{},"s3Config":${S3_CONFIG}}`;
    await expect(run(refused, { endpoint: 's3-j', owner: 'ada', body: Buffer.from(body) })).rejects.toThrow(
      'KMS is not available.',
    );
    expect(await Array.fromAsync(ports.jobs.list('s3-j'))).toEqual([]);
  });
});
