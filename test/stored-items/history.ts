/**
 * Stores an item of every kind that outlives a deployment, through the use-cases. Less than five minutes pass on
 * the clock, so that no result expires.
 */
import { Buffer } from 'node:buffer';
import { saveStart } from '../../core/fleet/start.ts';
import { cancel } from '../../core/jobs/cancel.ts';
import type { Job } from '../../core/jobs/job.ts';
import { purgeQueue } from '../../core/jobs/purge-queue.ts';
import { createKey } from '../../core/keys/client-keys.ts';
import { LEASE, MINUTE, payloadLimits, SECOND } from '../../core/limits.ts';
import { status } from '../../core/status/status.ts';
import { append, storePieces } from '../../core/streams/append.ts';
import { stream } from '../../core/streams/stream.ts';
import { retry } from '../../core/submission/retry.ts';
import { parseJobRequest, run, submit } from '../../core/submission/submit.ts';
import { associate, dissociate } from '../../core/templates/associate.ts';
import { declare, undeclare } from '../../core/templates/declare.ts';
import { carriedId, withDrift } from '../../core/templates/drift.ts';
import { edited, templateSettingsSchema } from '../../core/templates/template.ts';
import { deliver } from '../../core/webhooks/deliver.ts';
import { saveFact } from '../../core/workers/apply-facts.ts';
import { finish } from '../../core/workers/report.ts';
import { rescue } from '../../core/workers/rescue.ts';
import { take } from '../../core/workers/take.ts';
import { releaseOf } from '../releases/settings.ts';
import { templateOf } from '../templates/settings.ts';
import { answered, withReceiver } from '../webhooks/receiver.ts';
import type { Stage } from './stage.ts';

export const ENDPOINT = 'recorded';
/** The endpoint whose streams are drained. */
export const DRAINED = 'drained';
/** The endpoint whose template a client has changed. */
const DRIFTED = 'drifted';
export const WEBHOOK = 'https://receiver.example/hook';
export const S3_CONFIG = { accessId: 'id', accessSecret: 'secret', bucketName: 'b', endpointUrl: 'https://s3.example' };
export const INPUTS = {
  inline: '{"n":12345678901234567890}',
  stored: `{"text":"${'s'.repeat(payloadLimits.inline)}"}`,
  object: `{"text":"${'o'.repeat(payloadLimits.item)}"}`,
} as const;
/** For each key, the value of all 64 bytes from which it is created. */
export const KEY_BYTES = { full: 1, minimal: 2 } as const;
export const IDEMPOTENCY_KEY = 'once';
const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** The ids of the jobs, by the state of the job. */
export type Jobs = Readonly<Record<string, string>>;

const imageRepositories = ['000000000000.dkr.ecr.us-east-1.amazonaws.com/*'];

const place = { category: 'CPU', largestDiskInGb: 200, imageRepositories } as const;

const template = { id: 'official', version: 1 };

const release = releaseOf('arn:aws:ecs:us-east-1:000000000000:task-definition/Endpoint-recorded:3', {
  blueprint: 'arn:blueprint:1',
  template,
  endedAt: 2,
  launchType: 'FARGATE',
  state: 'COMPLETED',
  settledAt: 3,
  proven: true,
  restore: { blueprint: 'arn:blueprint:1', template, revision: 'arn:revision:2', startedAt: 0, endedAt: 1 },
  refused: {
    blueprint: 'arn:blueprint:0',
    template,
    startedAt: 0,
    endedAt: 1,
    reason: 'An image cannot be pulled.',
    imageRepositories,
  },
});

async function storeEndpoints({ emulated, poolStates }: Stage): Promise<void> {
  const size = { gpus: 1, cpu: 4096, memory: 14_745 };
  const placement = {
    provider: 'provider',
    worker: size,
    instance: { ...size, tasks: 3 },
    maxInstances: 10,
    emptyFor: 1,
  };
  await emulated.deploy(DRAINED, { streamEnvelope: true, protocol: 'http' });
  await emulated.deploy(ENDPOINT, {
    template: 'official',
    pinTemplate: 1,
    owner: 'ada',
    ...place,
    instanceGroup: 'group',
    placement,
    logGroup: 'logs',
    family: 'Endpoint-recorded',
    blueprint: 'arn:blueprint:1',
    concurrency: 2,
    workerPrice: { hour: 1.5, region: 'us-east-1', date: '2026-11-01' },
    maxDollarsPerDay: 12.5,
  });
  await poolStates.save('group', {
    version: 0,
    launch: { subnet: 'subnet', count: 1, token: 'token', at: 1 },
    starting: { 'i-1': 1 },
    refusedUntil: 1,
    empty: { 'i-2': 1 },
    marks: { 'i-2': 'DRAINING' },
  });
}

/** Stores the facts about an endpoint that its running jobs cause. */
async function storeState({ ports, releases }: Stage): Promise<void> {
  const { endpoints } = ports;
  const now = ports.clock.now();
  await endpoints.setScaleIn(ENDPOINT, now);
  await endpoints.setAsked(ENDPOINT, { jobs: 4, template: 'official' });
  await endpoints.saveSpending(ENDPOINT, {
    ...{ day: 0, at: 1, dollars: 11, basis: '01234567' },
    ...{ keys: { '0123456789ab': 3 }, spentKeys: ['0123456789ab'], reported: { endpoint: 'WARNED' } },
  });
  await saveFact(ports, ENDPOINT, {
    is: 'failed',
    blocker: 'IMAGE_UNAVAILABLE',
    detail: 'none',
    task: 't1',
    revision: 3,
    at: now + 1,
  });
  await ports.eventHistory.add({
    endpoint: ENDPOINT,
    kind: 'TEMPLATE',
    at: now,
    from: 'a',
    to: 'b',
    detail: 'Repairs the model.',
    key: '0123456789ab',
    jobs: 1,
    revision: 3,
    template: 'official',
    version: 2,
    fields: ['env'],
    by: { kind: 'key', id: '0123456789ab', name: 'ci' },
  });
  await endpoints.setRelease(ENDPOINT, undefined, release);
  const endpoint = await endpoints.readNow(ENDPOINT);
  if (endpoint) await endpoints.saveReconciliation(endpoint, { auditedAt: now });
  await endpoints.saveCountedEnds({ id: ENDPOINT }, { ended: 3, failed: 1 });
  const record = { revision: 3, template: 'official', version: 1, startedAt: 1 };
  await releases.begin(ENDPOINT, { key: '0000000004', record: { state: 'IN_PROGRESS', ...record } });
  await releases.end(ENDPOINT, {
    key: '0000000003',
    record: { state: 'ROLLED_BACK', ...record, endedAt: 2, reason: 'An image cannot be pulled.' },
  });
}

async function storeTemplates({ declared }: Stage): Promise<void> {
  const settings = templateSettingsSchema.parse(templateOf({ isPublic: true, env: { A: 'b' }, ports: ['80/http'] }));
  const { templates } = declared;
  await declare(declared, 'official', { ...settings, name: 'Official' });
  await associate(declared, { endpoint: ENDPOINT, place, template: { named: 'official', pin: 1 } });
  await declare(declared, 'withdrawn', { ...settings, name: 'Withdrawn' });
  await associate(declared, { endpoint: ENDPOINT, place, template: { named: 'withdrawn' } });
  await undeclare(declared, 'withdrawn');
  const { name: _, category: __, isPublic: ___, isServerless: ____, ...carried } = settings;
  await associate(declared, { endpoint: DRAINED, place, template: { carried } });
  await associate(declared, { endpoint: 'gone', place, template: { carried } });
  await dissociate(declared, 'gone', 'endpoint-gone');
  await associate(declared, { endpoint: DRIFTED, place, template: { carried } });
  const deployed = await templates.read(carriedId(DRIFTED));
  if (!deployed) throw new Error(`The template of ${DRIFTED} does not exist.`);
  const at = declared.clock.now();
  const changed = edited(deployed, { imageName: 'team/worker:9', env: {} }, at);
  const by = { kind: 'key', id: '0a1b2c', name: 'ci' } as const;
  await templates.replace(deployed, withDrift(deployed, changed, { by, at, reason: 'Incident 7' }));
  await templates.create(templateOf({ id: 'made', name: 'Made', owner: 'ada', containerRegistryAuthId: 'team' }));
  await templates.addRunTime({ worker: 't1', template: 'made', milliseconds: 2 * MINUTE });
}

interface StartOptions {
  readonly endpoint?: string;
  readonly worker?: string;
  /** Whether the worker is known to return the chunks of a job as its output. */
  readonly aggregates?: true;
}

/** Stores a job of the owner in each state. */
async function storeJobs(stage: Stage): Promise<Jobs> {
  const { ports, emulated, countChanges } = stage;
  const ids: Record<string, string> = {};
  const keyOf = (name: string) => ({ endpoint: ENDPOINT, id: String(ids[name]) });

  async function come(name: string, body: object | string = {}, endpoint = ENDPOINT): Promise<string> {
    const text = typeof body === 'string' ? body : JSON.stringify({ input: {}, ...body });
    const request = { endpoint, owner: 'ada', keyId: '0123456789ab', body: Buffer.from(text), traceparent: TRACE };
    const { id } = await run(ports, request);
    ids[name] = id;
    await countChanges();
    return id;
  }
  async function start(name: string, body: object | string = {}, options: StartOptions = {}) {
    const { endpoint = ENDPOINT, worker = 'w1', aggregates } = options;
    const job = await come(name, body, endpoint);
    const generation = (await ports.endpoints.readNow(endpoint))?.generation ?? 0;
    const taken = await take(ports, worker, { endpoint, job, attempt: 0, generation }, { aggregates, revision: 3 });
    if (taken.outcome !== 'taken') throw new Error(`The job ${name} is ${taken.outcome}.`);
    await countChanges();
    return taken.job;
  }
  const end = async (name: string, body: object | string, report: Parameters<typeof finish>[2]): Promise<Job> => {
    const job = await start(name, body);
    await finish(ports, job, report, () => 0);
    await countChanges();
    const ended = await ports.jobs.read(job);
    if (!ended) throw new Error(`The job ${name} does not exist.`);
    return ended;
  };
  const deliverTo = async (job: Job, code: number, times: number) => {
    const { ports: delivering } = withReceiver(ports, () => answered(code));
    for (let retried = 0; retried < times; retried += 1)
      await deliver(delivering, {
        ended: job,
        execution: 'e',
        earlierCalls: retried,
        call: `call ${job.id} ${retried}`,
      });
  };

  await come('purged');
  await purgeQueue(ports, ENDPOINT);
  await come('expired', { policy: { ttl: 10 * SECOND, lowPriority: true } });
  await start('overdue', { policy: { executionTimeout: 6 * SECOND } });
  emulated.clock.advance(20 * SECOND);
  for (const name of ['purged', 'expired', 'overdue']) await status(ports, keyOf(name));
  await countChanges();

  await end('completed', {}, { output: '{"n":1}', chunks: 1 });
  await end('completedStored', {}, { output: INPUTS.stored });
  await end('completedObject', {}, { output: INPUTS.object });
  await deliverTo(await end('failedDelivered', { webhook: WEBHOOK }, { output: '[1]', error: 'no' }), 200, 1);
  await deliverTo(await end('failedUndelivered', { webhook: WEBHOOK }, { error: 'no' }), 500, 3);
  await deliverTo(await end('retried', { webhook: WEBHOOK }, { error: 'no' }), 500, 1);
  await retry(ports, keyOf('retried'));
  await countChanges();
  const request = { endpoint: ENDPOINT, owner: 'ada', body: Buffer.from('{"input":{}}') };
  const { id } = await submit(ports, 'runsync', request, () => parseJobRequest(ports, request));
  ids.cancelled = id;
  await cancel(ports, { endpoint: ENDPOINT, id });
  await countChanges();
  const streaming = await start('cancelledRunning', {}, { aggregates: true });
  await append(ports, streaming, 0, { output: '"kept"' });
  await cancel(ports, streaming);
  await countChanges();

  await come('queued', `{"input":${INPUTS.inline},"policy":{"lowPriority":true}}`);
  await come('queuedStored', `{"input":${INPUTS.stored},"webhook":"${WEBHOOK}?${'q'.repeat(100)}"}`);
  await come('queuedObject', `{"input":${INPUTS.object},"s3Config":${JSON.stringify(S3_CONFIG)}}`);
  const running = await start('running');
  await append(ports, running, 0, { output: '{"t":"a"}', metrics: '{"input_tokens":3}' });
  await append(ports, running, 1, { output: `"${'x'.repeat(payloadLimits.item)}"` });
  const drained = await start('drained', {}, { endpoint: DRAINED, worker: 'w4' });
  await append(ports, drained, 0, { output: '1' });
  await storePieces(ports, drained, 1, [{ output: '"b"', metrics: '{"running":1}' }, { output: '"c"' }]);
  for await (const _ of await stream(ports, { endpoint: DRAINED, id: drained.id }));
  await start('lost', {}, { worker: 'w0' });
  const requeued = await start('requeued', {}, { endpoint: DRAINED, worker: 'w4' });
  await rescue(ports, requeued, 0, requeued.generation, 'GIVEN_UP');

  const claimed = {
    endpoint: ENDPOINT,
    owner: 'ada',
    body: Buffer.from('{"input":{}}'),
    idempotencyKey: IDEMPOTENCY_KEY,
  };
  ids.claimed = (await run(ports, claimed)).id;
  await countChanges();
  return ids;
}

async function storeLeases({ ports }: Stage, { running = '', lost = '' }: Jobs): Promise<void> {
  const now = ports.clock.now();
  const lease = { endpoint: ENDPOINT, jobs: [], endsAt: now + LEASE, removeAfter: Math.ceil((now + MINUTE) / SECOND) };
  await ports.workers.beat({ ...lease, worker: 'w0', jobs: [lost], endsAt: now, readySince: now });
  await ports.workers.beat({ ...lease, worker: 'w1', jobs: [running], readySince: now, revision: 3, asks: 4 });
  await ports.workers.beat({
    ...lease,
    worker: 'w2',
    idleSince: now,
    readySince: now,
    revision: 3,
    unprotected: 'WORKS',
    retiring: true,
    silent: false,
  });
  await ports.workers.beat({ ...lease, worker: 'w3', readySince: null });
  const pulled = { createdAt: now - 5, pullStartedAt: now - 4, pullStoppedAt: now - 3 };
  await saveStart(ports, ENDPOINT, 'w1', { ...pulled, instance: 'c1', startedAt: now - 2, readyAt: now - 1 });
  await ports.starts.saveInstance({ id: 'c1', ec2: 'i-1', registeredAt: now - 4 });
  await ports.starts.saveInstance({ id: 'i-1', launchedAt: now - 5 });
  await ports.volumeMarks.set(ENDPOINT, { worker: 'w1', until: now + MINUTE });
  await ports.replacementMarks.set(ENDPOINT, { worker: 'w1', until: now + MINUTE });
}

async function storeKeys({ ports, webhookSecrets }: Stage): Promise<void> {
  const grant = { owner: 'ada', endpoints: [ENDPOINT], operations: ['*'] };
  const bytes = (fill: number) => new Uint8Array(Buffer.alloc(64, fill));
  const scopes = ['templates:read', 'templates:write'] as const;
  const expiresAt = ports.clock.now() + MINUTE;
  await createKey(
    ports,
    { ...grant, name: 'full', scopes: [...scopes], expiresAt, maxDollarsPerDay: 20 },
    bytes(KEY_BYTES.full),
  );
  await createKey(ports, { ...grant, name: 'minimal', scopes: [] }, bytes(KEY_BYTES.minimal));
  await webhookSecrets.currentNow(ENDPOINT);
  await webhookSecrets.rotate(ENDPOINT);
}

/** @returns the ids of the jobs */
export async function storeAll(stage: Stage): Promise<Jobs> {
  await storeTemplates(stage);
  await storeEndpoints(stage);
  const jobs = await storeJobs(stage);
  await storeState(stage);
  await storeLeases(stage, jobs);
  await storeKeys(stage);
  return jobs;
}
