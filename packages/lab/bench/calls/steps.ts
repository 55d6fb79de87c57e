/** The steps of scenarios. */
import { type Call, type ItemKey, messagesReceived, messagesSent } from './call-log.ts';
import { actorOf, isWatch, jobOf, targetOf } from './classify.ts';
import { Disturbed, type Drive, type Submission } from './drive.ts';

export type Step = (drive: Drive) => Promise<void>;

/** Milliseconds after which every cached endpoint has expired (`ENDPOINT_CACHE` of core/limits.ts). */
const CACHES_ARE_OLD = 600;
/** Milliseconds between a worker's checks of its jobs (`WATCH` of core/limits.ts), and from a check to the scenario. */
const WATCH = 1_000;
const BEHIND_WATCH = 200;
/** Milliseconds after which a worker's check no longer predicts the time of the next check. */
const WATCH_IS_FRESH = 20_000;
/** Milliseconds that are longer than the time between two calls of one ledger invocation. */
const LEDGER_PAUSE = 300;

const isWrite = (call: Call) => (call.wru ?? 0) > 0 && targetOf(call) === 'jobs';
const writesOf = (drive: Drive, job: string) => drive.calls().filter((call) => isWrite(call) && jobOf(call) === job);

/** Returns the number of messages that were sent and not deleted. */
function messagesLeft(calls: readonly Call[]): number {
  const received = messagesReceived(calls);
  const deletions = calls.filter(({ operation = '' }) => operation.startsWith('DeleteMessage'));
  const deleted = new Set(deletions.flatMap(({ receipts = [] }) => receipts.map((receipt) => received.get(receipt))));
  return messagesSent(calls).filter((id) => !deleted.has(id)).length;
}

/** Waits until every cached read of the endpoint is too old to be used. */
export const apart: Step = (drive) => drive.pause(CACHES_ARE_OLD);

/** Submits jobs, one right after the other. */
export const submit =
  (submission: Submission, count = 1): Step =>
  async (drive) => {
    for (let n = 0; n < count; n += 1) await drive.submit(submission);
  };

/** Waits until each job has this many writes, including refused writes, and no queue message is left. */
export const done =
  (writes: number): Step =>
  (drive) =>
    drive.until(`each job is written ${writes} times and its message is gone`, () => {
      const written = drive.jobs.every((job) => writesOf(drive, job).length >= writes);
      return written && messagesLeft(drive.calls()) === 0;
    });

/** Waits until each job has this many writes. */
export const written =
  (writes: number): Step =>
  (drive) =>
    drive.until(`each job is written ${writes} times`, () =>
      drive.jobs.every((job) => writesOf(drive, job).length >= writes),
    );

/** Waits until each job's webhook is acknowledged and the acknowledgement is stored. */
export const delivered: Step = (drive) => {
  const writes = (job: string) =>
    drive.calls().filter((call) => actorOf(call) === 'deliverer' && (call.wru ?? 0) > 0 && jobOf(call) === job);
  return drive.until('each webhook is delivered', () => drive.jobs.every((job) => writes(job).length >= 2));
};

/** Reads each job, one right after the other. */
const read =
  (status: string): Step =>
  async (drive) => {
    for (const job of drive.jobs) {
      const { json } = await drive.request('GET', `status/${job}`);
      if (json.status !== status) throw new Disturbed(`A job is not ${status}: ${JSON.stringify(json).slice(0, 200)}`);
    }
  };

/** Reads the stream of each job. */
export const readStream =
  (chunks: number): Step =>
  async (drive) => {
    for (const job of drive.jobs) {
      const { json } = await drive.request('GET', `stream/${job}`);
      if (json.length !== chunks)
        throw new Disturbed(`The stream must have ${chunks} chunks, got ${JSON.stringify(json).slice(0, 200)}`);
    }
  };

export const polls = (count: number, status: string): Step[] =>
  Array.from({ length: count }, () => [apart, read(status)]).flat();

export const cancel: Step = async (drive) => {
  for (const job of drive.jobs) {
    const { json } = await drive.request('POST', `cancel/${job}`);
    if (json.status !== 'CANCELLED')
      throw new Disturbed(`A job ended before it was cancelled: ${JSON.stringify(json)}`);
  }
};

/** Waits until the worker has checked the job once, and cancels it before the next check. */
export const cancelAfterCheck: Step = async (drive) => {
  const [job] = drive.jobs;
  const checks = () => drive.calls().filter((call) => isWatch(call) && jobOf(call) === job);
  await drive.until('the worker has checked the job', () => checks().length > 0);
  await apart(drive);
  await cancel(drive);
  if (checks().length > 1) throw new Disturbed('The worker checked the job again before it was cancelled.');
};

export const retry: Step = async (drive) => {
  for (const job of drive.jobs) {
    const { json } = await drive.request('POST', `retry/${job}`);
    if (json.status !== 'IN_QUEUE') throw new Disturbed(`A job was not retried: ${JSON.stringify(json)}`);
  }
};

/** Purges the queue once, for all jobs. */
export const purge: Step = async (drive) => {
  const { json } = await drive.request('POST', 'purge-queue');
  if (json.status !== 'completed') throw new Disturbed(`The queue was not purged: ${JSON.stringify(json)}`);
};

/** Checks that no worker has written a job, so that each job's only write is its submission. */
const untakenBefore =
  (what: string): Step =>
  async (drive) => {
    if (drive.jobs.some((job) => writesOf(drive, job).length > 1))
      throw new Disturbed(`A worker took a job before ${what}.`);
  };

export const untaken = untakenBefore('the purge');
export const queued = untakenBefore('the last job was submitted');

/** Verifies that no worker checked a job, because these checks depend on the clock and not on the scenario. */
export const unwatched: Step = async (drive) => {
  if (drive.calls().some(isWatch)) throw new Disturbed('A worker checked a job that should have ended.');
};

/** Restarts the counting of calls for the same jobs. */
export const recounted: Step = async (drive) => {
  const jobs = [...drive.jobs];
  drive.mark();
  for (const job of jobs) drive.adopt(job);
};

const partitionsWritten = (calls: readonly Call[], jobs: readonly string[]) =>
  calls.flatMap((call, position) => {
    const [key]: readonly (ItemKey | undefined)[] = call.keys ?? [];
    const isOfJobs = isWrite(call) && call.error === undefined && jobs.includes(jobOf(call) ?? '');
    return isOfJobs && key ? [{ partition: key.partition, position }] : [];
  });

/** Waits until the ledger has counted the last change of each job. */
export const counted: Step = async (drive) => {
  const isLedger = (call: Call) => actorOf(call) === 'ledger';
  await drive.until('the ledger has counted all changes', () => {
    const calls = drive.calls();
    return partitionsWritten(calls, drive.jobs).every(({ partition, position }) =>
      calls.slice(position).some((call) => isLedger(call) && call.keys?.[0]?.sort === `counters#${partition}`),
    );
  });
  for (let before = -1, now = 0; before !== now; now = drive.calls().filter(isLedger).length) {
    before = now;
    await drive.pause(LEDGER_PAUSE);
  }
};

/**
 * Waits until the ledger has counted the job, and stops counting the ledger's calls, because another job still runs.
 */
export const countedAside: Step = async (drive) => {
  await counted(drive);
  const jobs = drive.calls().filter(isWrite).map(jobOf);
  const others = jobs.filter((job) => job !== undefined && !drive.jobs.includes(job));
  if (others.length > 0) throw new Disturbed('The job that occupies the worker has ended too early.');
  drive.closeLedger();
};

/** Submits jobs that keep the worker busy for this long, in milliseconds. */
export const occupied =
  (milliseconds: number, jobs = 1): Step =>
  async (drive) => {
    drive.mark();
    await submit({ operation: 'run', input: { op: 'sleep', ms: milliseconds } }, jobs)(drive);
    await written(2)(drive);
    await counted(drive);
  };

/**
 * Waits until shortly after the worker's next check of its jobs, so that the number of later checks depends only on the
 * scenario.
 */
export const afterWatch: Step = async (drive) => {
  let last = drive.lastWatch();
  if (last === undefined || Date.now() - last > WATCH_IS_FRESH) {
    drive.mark();
    await drive.submit({ operation: 'run', input: { op: 'sleep', ms: WATCH + BEHIND_WATCH } });
    await done(3)(drive);
    await counted(drive);
    last = drive.lastWatch() ?? 0;
  }
  const since = (Date.now() - last) % WATCH;
  await drive.pause((WATCH + BEHIND_WATCH - since) % WATCH);
};
