/**
 * Tests the times of a job: the stages that the test injects on its clock come back in the record of the job, in the
 * history and in the spans, which a receiver of OpenTelemetry gets over HTTP.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import type { InstanceEvent, TaskEvent } from '../../core/fleet/event.ts';
import { observe } from '../../core/fleet/observe.ts';
import { saveStart } from '../../core/fleet/start.ts';
import { listJobs } from '../../core/history/list-jobs.ts';
import { record } from '../../core/ledger/record.ts';
import { ENDPOINT_CACHE, HOUR, MINUTE } from '../../core/limits.ts';
import { status } from '../../core/status/status.ts';
import { run } from '../../core/submission/submit.ts';
import { sumAll } from '../../core/usage/sweep.ts';
import { deliver } from '../../core/webhooks/deliver.ts';
import { finish } from '../../core/workers/report.ts';
import { rescue } from '../../core/workers/rescue.ts';
import type { Telemetry } from '../../lambda/sweeper/telemetry.ts';
import { taskEvent } from '../fleet/events.ts';
import { submitJob, takeJob } from '../jobs/scripted-job.ts';
import { noReleases } from '../releases/no-releases.ts';
import { numbersOf, PROPERTY_SEED, seedOf } from '../runner/seed.ts';
import { recordServices } from '../support/recorded-services.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { answered, withReceiver } from '../webhooks/receiver.ts';
import {
  type DecodedSpan,
  type OtlpReceiver,
  spansIn,
  startOtlpReceiver,
  telemetryTo,
  withPython,
} from './otlp-receiver.ts';

const emulated = useEmulatedDeployment();
const ports = portsWith(emulated.ports, { ...noReleases(), services: recordServices() });
const { clock } = emulated;
const now = () => clock.now();
const seed = seedOf(PROPERTY_SEED);

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';

let receiver: OtlpReceiver;
let telemetry: Telemetry | undefined;

beforeAll(async () => {
  receiver = await startOtlpReceiver();
  telemetry = telemetryTo(receiver.url, ports);
});
// Each test begins at a whole hour, so that the same sums are due.
beforeEach(() => clock.advance(HOUR - (now() % HOUR)));
afterAll(() => receiver.stop());

/** Lets the ledger and the sweeper follow, a minute at a time. */
async function follow(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    clock.advance(MINUTE);
    await record(ports, await emulated.changes());
    expect(await sumAll(ports, await ports.endpoints.list(), telemetry?.addNews)).toEqual(new Map());
    await telemetry?.send(await ports.endpoints.list());
  }
}

async function sentSpans(endpoint: string): Promise<DecodedSpan[]> {
  return (await spansIn(receiver.requests)).filter(({ attributes }) => attributes.endpoint === endpoint);
}

/** Injected durations of the stages in milliseconds. */
interface Injected {
  readonly QUEUED: number;
  readonly INSTANCE: number;
  readonly BOOT: number;
  readonly IMAGE: number;
  readonly WORKER: number;
  readonly TAKE: number;
  readonly run: number;
  readonly webhook: number;
}

/** Starts a worker on an instance, each stage of which takes the injected time. */
async function startWorker(endpoint: string, worker: string, injected: Injected): Promise<void> {
  const [ecs, ec2] = [`c-${worker}`, `i-${worker}`];
  const instance = (its: InstanceEvent['instance']): InstanceEvent => ({ of: 'instance', at: now(), instance: its });
  clock.advance(injected.QUEUED);
  const createdAt = now();
  const task = (differences: Partial<TaskEvent>) =>
    taskEvent({
      ...{ service: endpoint, worker, at: now(), createdAt, stopCode: undefined, stoppedReason: undefined },
      ...{ desiredStatus: 'RUNNING', lastStatus: 'PENDING', startedAt: undefined },
      containerInstanceArn: `arn:aws:ecs:us-east-1:0:container-instance/fleet/${ecs}`,
      ...differences,
    });
  clock.advance(injected.INSTANCE);
  await observe(ports, instance({ id: ec2, launchedAt: now() }));
  clock.advance(injected.BOOT);
  await observe(ports, instance({ id: ecs, ec2, registeredAt: now() }));
  const pullStartedAt = now();
  await observe(ports, task({ pullStartedAt }));
  clock.advance(injected.IMAGE);
  const pull = { pullStartedAt, pullStoppedAt: now() };
  await observe(ports, task({ ...pull, lastStatus: 'RUNNING', startedAt: now() }));
  clock.advance(injected.WORKER);
  await saveStart(ports, endpoint, worker, { readyAt: now() });
  await ports.workers.beat({ endpoint, worker, jobs: [], readySince: now(), endsAt: now() + HOUR, removeAfter: 1 });
}

async function submitTraced(endpoint: string): Promise<string> {
  const body = Buffer.from('{"input":{},"webhook":"https://example.com/hook"}');
  return (await run(ports, { endpoint, owner: 'ada', body, traceparent: `00-${TRACE_ID}-${CALLER}-01` })).id;
}

/** Calls the webhook of the job, whose receiver answers after the injected time. */
async function callWebhook(endpoint: string, id: string, injected: Injected): Promise<void> {
  const ended = await ports.jobs.read({ endpoint, id });
  if (!ended) throw new Error('The job does not exist.');
  const { ports: delivering } = withReceiver(ports, () => {
    clock.advance(injected.webhook);
    return answered(200);
  });
  await deliver(delivering, { ended, execution: id, earlierCalls: 0, call: 'c' });
}

/** Returns the only span of the name. */
function named(spans: readonly DecodedSpan[], name: string): DecodedSpan {
  const [span, ...more] = spans.filter((one) => one.name === name);
  if (!span || more.length > 0) throw new Error(`${more.length + (span ? 1 : 0)} spans have the name ${name}.`);
  return span;
}

const lengthOf = ({ from, to }: DecodedSpan) => to - from;

/** The allowed difference in milliseconds. */
const EXACT = 50;
const isNear = (expected: number) => expect.closeTo(expected, -Math.log10(2 * EXACT));

(withPython ? describe : describe.skip)('the spans of a job', () => {
  it(`have the injected duration of each stage, like its record and its history (seed ${seed})`, async () => {
    await emulated.deploy('tl-cold');
    const random = numbersOf(seed);
    const duration = () => 200 + random(20_000);
    const injected: Injected = {
      ...{ QUEUED: duration(), INSTANCE: duration(), BOOT: duration(), IMAGE: duration(), WORKER: duration() },
      ...{ TAKE: duration(), run: duration(), webhook: 200 + random(5_000) },
    };
    const queuedAt = now();
    const id = await submitTraced('tl-cold');
    await startWorker('tl-cold', 'w1', injected);
    clock.advance(injected.TAKE);
    const job = await takeJob(ports, 'tl-cold', id);
    clock.advance(injected.run);
    await finish(ports, job, { output: '1' });
    await callWebhook('tl-cold', id, injected);

    clock.advance(ENDPOINT_CACHE);
    const shown = JSON.parse(String(await status(ports, { endpoint: 'tl-cold', id, timeline: 'true' })));
    await follow(8);
    const { jobs } = JSON.parse(await listJobs(ports, { permitted: ['*'], job: id }));
    const spans = (await sentSpans('tl-cold')).filter(({ traceId }) => traceId === TRACE_ID);

    const { run: executionTime, webhook, ...stages } = injected;
    const delayTime = Object.values(stages).reduce((sum, one) => sum + one, 0);
    expect(shown).toMatchObject({ delayTime: isNear(delayTime), executionTime: isNear(executionTime) });
    expect(jobs).toMatchObject([{ delayTime: isNear(delayTime), executionTime: isNear(executionTime) }]);
    const byStage = Object.fromEntries(
      shown.timeline.map(({ stage, duration: its }: { stage: string; duration: number }) => [stage, its]),
    );
    for (const [stage, expected] of Object.entries(stages)) {
      expect({ stage, shown: byStage[stage] }).toEqual({ stage, shown: isNear(expected) });
      const span = named(spans, `stage ${stage.toLowerCase()}`);
      expect({ stage, span: lengthOf(span) }).toEqual({ stage, span: isNear(expected) });
      expect(span.parentSpanId).toBe(named(spans, 'queue').spanId);
    }
    const root = named(spans, 'process tl-cold');
    expect(root).toMatchObject({ parentSpanId: CALLER, kind: 'SPAN_KIND_CONSUMER', from: queuedAt, error: undefined });
    expect(lengthOf(root)).toEqual(isNear(delayTime + executionTime));
    expect(lengthOf(named(spans, 'queue'))).toEqual(isNear(delayTime));
    expect(lengthOf(named(spans, 'run'))).toEqual(isNear(executionTime));
    expect(lengthOf(named(spans, 'webhook'))).toEqual(isNear(webhook));
    for (const name of ['queue', 'run', 'webhook']) expect(named(spans, name).parentSpanId).toBe(root.spanId);
    expect(spans).toHaveLength(4 + Object.keys(stages).length);
  });

  it('have each attempt, and the error of the last', async () => {
    await emulated.deploy('tl-tried');
    const id = await submitTraced('tl-tried');
    clock.advance(1_000);
    const first = await takeJob(ports, 'tl-tried', id, 'w1');
    clock.advance(7_000);
    await rescue(ports, first, 0, 0, 'GIVEN_UP');
    clock.advance(3_000);
    const last = await takeJob(ports, 'tl-tried', id, 'w2');
    clock.advance(2_000);
    await finish(ports, last, { error: 'out of memory' });
    await follow(8);
    const spans = await sentSpans('tl-tried');
    const root = named(spans, 'process tl-tried');
    expect(root).toMatchObject({ parentSpanId: CALLER, error: 'out of memory' });
    expect(root.attributes).toMatchObject({
      'messaging.message.id': id,
      'gpu_endpoints.job.attempts': 2,
      'error.type': 'WORKER_ERROR',
      priority: 'normal',
    });
    expect(named(spans, 'attempt')).toMatchObject({ parentSpanId: root.spanId, error: 'GIVEN_UP' });
    expect(lengthOf(named(spans, 'attempt'))).toBe(7_000);
    expect(lengthOf(named(spans, 'run'))).toBe(2_000);
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE_ID]));
  });

  it('have the same ids when a sweep is repeated, also of a job without a trace', async () => {
    await emulated.deploy('tl-again');
    const job = await takeJob(ports, 'tl-again', await submitJob(ports, 'tl-again'));
    await finish(ports, job, { output: '1' });
    // An endpoint with a waiting job is summed every minute.
    await submitJob(ports, 'tl-again');
    // As if the process had stopped after it sent the spans, and before it stored that it did.
    let fails = true;
    const { usageSums } = ports;
    const failing = portsWith(ports, {
      usageSums: {
        ...usageSums,
        saveSummed: async (...saved: Parameters<typeof usageSums.saveSummed>) =>
          fails || (await usageSums.saveSummed(...saved)),
      },
    });
    for (let minute = 0; minute < 8; minute += 1) {
      clock.advance(MINUTE);
      await record(ports, await emulated.changes());
      await sumAll(failing, await ports.endpoints.list(), telemetry?.addNews);
      await telemetry?.send(await ports.endpoints.list());
      fails = minute < 6;
    }
    const spans = await sentSpans('tl-again');
    expect(spans.length).toBeGreaterThan(3);
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(3);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  });

  it('are not made of a trace that its caller does not record', async () => {
    await emulated.deploy('tl-unsampled');
    const traceparent = `00-${TRACE_ID}-${CALLER}-00`;
    const { id } = await run(ports, {
      endpoint: 'tl-unsampled',
      owner: 'ada',
      body: Buffer.from('{"input":{}}'),
      traceparent,
    });
    await finish(ports, await takeJob(ports, 'tl-unsampled', id), { output: '1' });
    await follow(8);
    expect(await sentSpans('tl-unsampled')).toEqual([]);
  });
});

(withPython ? describe : describe.skip)('the spans of the start of a worker', () => {
  it('have its stages, and why it stopped before it was ready', async () => {
    await emulated.deploy('tl-start');
    await ports.endpoints.setDesired('tl-start', undefined, 1);
    const injected = {
      QUEUED: 0,
      INSTANCE: 1_000,
      BOOT: 2_000,
      IMAGE: 3_000,
      WORKER: 4_000,
      TAKE: 0,
      run: 0,
      webhook: 0,
    };
    await startWorker('tl-start', 'w8', injected);
    const createdAt = now();
    const stopped = taskEvent({
      ...{ service: 'tl-start', worker: 'w9', at: now() + 5_000, createdAt, stoppedAt: createdAt + 5_000 },
      ...{ startedAt: undefined, pullStartedAt: createdAt + 1_000, stopCode: 'TaskFailedToStart' },
      stoppedReason: 'CannotPullContainerError: no such image',
    });
    clock.advance(5_000);
    await observe(ports, stopped);
    await follow(8);
    const spans = await sentSpans('tl-start');
    const [ready, failed] = spans
      .filter(({ name }) => name === 'start worker tl-start')
      .sort((one, other) => one.from - other.from);
    expect(ready && lengthOf(ready)).toBe(10_000);
    expect(ready?.error).toBeUndefined();
    expect(failed && lengthOf(failed)).toBe(5_000);
    expect(failed?.error).toContain('no such image');
    const stages = spans.filter(({ parentSpanId }) => parentSpanId === ready?.spanId);
    expect(stages.map((span) => [span.name, lengthOf(span)])).toEqual([
      ['stage instance', 1_000],
      ['stage boot', 2_000],
      ['stage image', 3_000],
      ['stage worker', 4_000],
    ]);
  });
});
