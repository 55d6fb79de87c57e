/** Performs one operation with the product's own use-cases. */

import { type Ports, portsWith } from '../../../../aws/ports.ts';
import { cancel } from '../../../../core/jobs/cancel.ts';
import type { NewJobId } from '../../../../core/jobs/id.ts';
import type { JobChange } from '../../../../core/jobs/job.ts';
import { purgeQueue } from '../../../../core/jobs/purge-queue.ts';
import { record } from '../../../../core/ledger/record.ts';
import { RequestError } from '../../../../core/requests/errors.ts';
import { health } from '../../../../core/status/health.ts';
import { status } from '../../../../core/status/status.ts';
import { statusSync } from '../../../../core/status/status-sync.ts';
import { retry } from '../../../../core/submission/retry.ts';
import { parseJobRequest, run, submit } from '../../../../core/submission/submit.ts';
import { sweep } from '../../../../core/sweeper/sweep.ts';
import { progress } from '../../../../core/workers/report.ts';
import type { Cast, WorkerProcess } from './cast.ts';
import type { Done, History, Outcome } from './history.ts';
import type { Log } from './log.ts';
import {
  type ClientOperation,
  type HeldJobOperation,
  type PayloadSize,
  payloadSizes,
  WAIT,
  type WorkerOperation,
} from './operations.ts';

export interface Scene {
  readonly cast: Cast;
  readonly history: History;
  readonly log: Log;
  /** Ids in the order of submission, whether the submission was answered or not. */
  readonly jobs: string[];
  /** Id of another endpoint, whose clients ask for jobs of the first. */
  readonly foreign: string;
  /** Changes of the stream that the ledger still has to record, and those that it has recorded. */
  readonly stream: { pending: JobChange[]; recorded: JobChange[]; isBusy: boolean };
}

/** Returns JSON that names its purpose, so that a payload in the wrong place is noticed. */
const textOf = (size: PayloadSize, what: string) => JSON.stringify({ what, text: 'x'.repeat(payloadSizes[size]) });

export async function outcomeOf(action: Promise<unknown>): Promise<Outcome> {
  try {
    return { is: 'answered', answer: await action };
  } catch (error) {
    return error instanceof RequestError ? { is: 'refused', code: error.code } : { is: 'failed', error };
  }
}

async function submitJob(scene: Scene, done: Done, ports: Ports, operation: ClientOperation & { does: 'run' }) {
  const endpoint = scene.cast.endpoint.id;
  const input = textOf(operation.size, `input ${done.number}`);
  const body = `{"input":${input},"policy":${JSON.stringify(operation.policy)}}`;
  const request = { endpoint, owner: 'ada', body: Buffer.from(body) };
  const newJobId: NewJobId = (kind, now) => {
    const id = ports.newJobId(kind, now);
    done.job = id;
    scene.jobs.push(id);
    scene.history.inputs.set(id, input);
    return id;
  };
  const naming = portsWith(ports, { newJobId });
  if (operation.kind === 'run') return run(naming, request);
  return submit(naming, 'runsync', request, () => parseJobRequest(naming, request));
}

export async function performAsClient(scene: Scene, done: Done, ports: Ports, operation: ClientOperation) {
  const endpoint = scene.cast.endpoint.id;
  switch (operation.does) {
    case 'run':
      return submitJob(scene, done, ports, operation);
    case 'purge':
      return purgeQueue(ports, endpoint);
    case 'health':
      return health(ports, endpoint);
  }
  const id = scene.jobs[operation.job % scene.jobs.length];
  if (!id) return undefined;
  done.job = id;
  switch (operation.does) {
    case 'status':
      return JSON.parse(String(await status(ports, { endpoint, id }))) as unknown;
    case 'shorten':
      return JSON.parse(String(await status(ports, { endpoint, id, ttl: String(operation.ttl) }))) as unknown;
    case 'wait':
      return JSON.parse(String(await statusSync(ports, { endpoint, id, wait: String(WAIT) }))) as unknown;
    case 'cancel':
      return cancel(ports, { endpoint, id });
    case 'retry':
      return retry(ports, { endpoint, id });
    case 'foreign':
      return cancel(ports, { endpoint: scene.foreign, id });
  }
}

/** Makes the container requeue the jobs that it must stop. */
async function stopLost({ worker }: WorkerProcess): Promise<void> {
  const asked = new AbortController();
  const stops = worker.agent.stops(asked.signal);
  asked.abort();
  for (const id of await stops) {
    await worker.agent.requeue(id);
    worker.forget(id);
  }
}

async function takeNext({ history }: Scene, done: Done, { worker }: WorkerProcess): Promise<string | undefined> {
  const offer = await worker.take();
  if (!offer) return undefined;
  done.job = offer.id;
  history.starts.push({ job: offer.id, worker: worker.name, attempt: offer.attempt, input: offer.input, done });
  return offer.id;
}

async function workOn(scene: Scene, done: Done, { worker, ports }: WorkerProcess, operation: HeldJobOperation) {
  const offer = worker.pick();
  if (!offer) return undefined;
  const { id, attempt } = offer;
  done.job = id;
  const mine = { job: id, worker: worker.name, attempt, done };
  try {
    switch (operation.does) {
      case 'requeue':
        await worker.agent.requeue(id);
        worker.forget(id);
        return id;
      case 'progress': {
        const output = textOf(operation.size, `progress ${done.number} of ${id}`);
        scene.history.reports.push({ ...mine, progress: true, output });
        const versions = scene.log.versionsOf(id);
        const taken = versions.find(({ job }) => job.status === 'IN_PROGRESS' && job.attempt === attempt)?.job;
        return taken?.status === 'IN_PROGRESS' && progress(ports, taken, output);
      }
      case 'report': {
        const output = textOf(operation.size, `output ${done.number} of ${id}`);
        const report = operation.fails ? { error: `error ${done.number} of ${id}` } : { output };
        scene.history.reports.push({ ...mine, progress: false, ...report });
        await worker.agent.report(id, report);
        worker.forget(id);
        return id;
      }
    }
  } finally {
    worker.putBack(offer);
  }
}

export async function performAsWorker(
  scene: Scene,
  done: Done,
  process: WorkerProcess,
  operation: WorkerOperation,
): Promise<unknown> {
  const { agent } = process.worker;
  switch (operation.does) {
    case 'take':
      return takeNext(scene, done, process);
    case 'beat':
      return agent.beat();
    case 'watch':
      await agent.watch();
      return stopLost(process);
    default:
      return workOn(scene, done, process, operation);
  }
}

/**
 * Records a batch of pending changes, and some recorded changes again, as the stream can deliver them. Runs one
 * batch at a time.
 */
export async function recordChanges({ cast, stream }: Scene, max: number, again: number): Promise<void> {
  if (stream.isBusy) return;
  const { caller, ports } = cast.clockwork();
  const batch = stream.pending.slice(0, max);
  const repeated = again > 0 ? stream.recorded.slice(-again) : [];
  stream.isBusy = true;
  caller.died.catch(() => {
    stream.isBusy = false;
  });
  try {
    const [failed] = await record(ports, [...repeated, ...batch]);
    if (failed) throw failed.error;
    stream.recorded.push(...batch);
    stream.pending = stream.pending.slice(batch.length);
  } finally {
    stream.isBusy = false;
  }
}

/** Records all changes before the sweep, because the sweep assumes that the ledger is less than a minute behind. */
export async function sweepOnce(scene: Scene): Promise<unknown> {
  while (scene.stream.pending.length > 0 && !scene.stream.isBusy) await recordChanges(scene, 100, 0);
  return sweep(scene.cast.clockwork().ports);
}
