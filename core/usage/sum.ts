/** Sums what happened on endpoints by minute, hour and day, from the rows of the history. */
import type { Clock } from '../clock.ts';
import type { Endpoint, WorkerPrice } from '../endpoints/endpoint.ts';
import { startStagesOf } from '../fleet/stages.ts';
import { dollarsOf } from '../history/cost.ts';
import { type EndedJob, endsInThePast } from '../history/ended-job.ts';
import { beginOfLife, type OpenWorkers } from '../history/open-worker.ts';
import type { AttemptHistory, DeliveryHistory, JobHistory, LateJobHistory, WorkerHistory } from '../history/store.ts';
import { positionAt, timeOf } from '../history/store.ts';
import { jobsByWorker, type WorkerJobCounts } from '../history/worker-jobs.ts';
import type { RunningJob } from '../jobs/job.ts';
import type { Jobs } from '../jobs/store.ts';
import { MINUTE, pollLimits } from '../limits.ts';
import { isAlive, type Lease } from '../workers/lease.ts';
import { histogramOf, sumOfNumbers } from './histogram.ts';
import { FIRST_SUM, MAX_PAYERS, MAX_START, ROWS_PER_SUM, SUM_DELAY } from './limits.ts';
import { type Happened, type KnownLife, type News, newsIn } from './news.ts';
import { beginOf } from './read.ts';
import type { UsageSums } from './store.ts';
import { sumSpans } from './sum-spans.ts';
import type { PayerSums, Sums } from './sums.ts';
import { beforeReplacing, countedAfter } from './totals.ts';
import { isWithin, type JobRun, type Span, workerTimeIn } from './worker-time.ts';

export type SumPorts = {
  readonly attemptHistory: AttemptHistory;
  readonly clock: Clock;
  readonly deliveryHistory: DeliveryHistory;
  readonly jobHistory: JobHistory;
  /** Ends of jobs at an earlier time than the one at which they were stored. */
  readonly lateJobHistory: LateJobHistory;
  readonly jobs: Jobs;
  readonly openWorkers: OpenWorkers;
  readonly usageSums: UsageSums;
  readonly workerHistory: WorkerHistory;
  readonly workerJobCounts: Pick<WorkerJobCounts, 'add'>;
};

/** Returns who pays for a job: the id of its API key, or the name of the user that submitted it. */
const payerOf = ({ key, owner }: { readonly key?: string | undefined; readonly owner: string }): string =>
  key ?? `user ${owner}`;

/** Rows of a kind that the deployment does not keep. */
const noRows = { rows: [], reached: undefined };

/** Payers beyond `MAX_PAYERS`, which are summed as one. */
const OTHER_PAYERS = 'others';

/** What is known of an endpoint in a part of its history, for its sums. */
interface Facts extends Happened {
  readonly runs: readonly JobRun[];
  readonly price: WorkerPrice | undefined;
}

const endedIn = (span: Span, { ends }: Pick<Facts, 'ends'>): readonly EndedJob[] =>
  ends.filter(({ at }) => isWithin(at, span)).map(({ job }) => job);

/** Returns the sums of the span. */
export function sumsIn(span: Span, { ends, attempts, lives, runs, price }: Facts): Sums {
  const isIn = (at: number) => isWithin(at, span);
  const ended = endedIn(span, { ends });
  const started = ended.flatMap(({ startedAt, queuedAt, finishedAt }) =>
    startedAt === undefined ? [] : [{ delay: startedAt - queuedAt, run: Math.max(0, finishedAt - startedAt) }],
  );
  const ready = lives.filter(({ readyAt }) => readyAt !== undefined && isIn(readyAt));
  const stages = ready.flatMap(({ start, readyAt = 0 }) => startStagesOf({ ...start, readyAt }, readyAt));
  const { busy, idle, starting, byPayer } = workerTimeIn(span, lives, runs);
  const dollars = (time: number) => (price === undefined ? 0 : dollarsOf(time, price));
  const payers = new Map<string, PayerSums>();
  const addTo = (payer: string, { jobs = 0, time = 0 }) => {
    const name = payers.has(payer) || payers.size < MAX_PAYERS ? payer : OTHER_PAYERS;
    const before = payers.get(name) ?? { jobs: 0, time: 0, dollars: 0 };
    payers.set(name, {
      jobs: before.jobs + jobs,
      time: before.time + time,
      dollars: before.dollars + dollars(time),
    });
  };
  for (const [payer, time] of byPayer) addTo(payer, { time });
  for (const job of ended) addTo(payerOf(job), { jobs: 1 });
  return {
    ended: sumOfNumbers(ended.map(({ code = 'COMPLETED' }) => ({ [code]: 1 }))),
    requeued: attempts.filter(({ endedAt }) => isIn(endedAt)).length,
    delay: histogramOf(started.map(({ delay }) => delay)),
    run: histogramOf(started.map(({ run }) => run)),
    delaySum: started.reduce((sum, { delay }) => sum + delay, 0),
    runSum: started.reduce((sum, { run }) => sum + run, 0),
    ready: ready.length,
    stages: sumOfNumbers(stages.map(({ stage, duration }) => ({ [stage]: duration }))),
    time: { busy, idle, starting },
    dollars: { busy: dollars(busy), idle: dollars(idle), starting: dollars(starting) },
    unpriced: price === undefined ? busy + idle + starting : 0,
    payers: Object.fromEntries(payers),
  };
}

/** Returns the lives of the workers that lived since `from`. */
async function livesOf(
  ports: SumPorts,
  endpoint: string,
  {
    from,
    now,
    leases,
    isConsistent,
  }: {
    readonly from: number;
    readonly now: number;
    readonly leases: readonly Lease[];
    readonly isConsistent: boolean;
  },
): Promise<readonly KnownLife[]> {
  const range = { endpoint, after: positionAt(from), before: positionAt(now + 1), isOldestFirst: true, isConsistent };
  const [open, { rows: ended }] = await Promise.all([
    ports.openWorkers.list(endpoint),
    ports.workerHistory.read({ ...range, max: ROWS_PER_SUM }),
  ]);
  const leaseOf = new Map(leases.map((lease) => [lease.worker, lease]));
  const ofEnded = ended.flatMap((row) => {
    const begin = beginOfLife(row);
    return begin === undefined
      ? []
      : [{ worker: row.worker, from: begin, readyAt: row.readyAt, to: row.endedAt, start: row, row }];
  });
  const ofOpen = open.flatMap((row) => {
    const begin = beginOfLife(row);
    const lease = leaseOf.get(row.worker);
    if (begin === undefined) return [];
    const life = { worker: row.worker, from: begin, readyAt: lease?.readySince ?? row.readyAt, start: row };
    const isLost = lease === undefined && now - begin > MAX_START;
    if (!isLost) return [life];
    // The end of a worker that was ready is unknown. It counts while it ran jobs.
    return life.readyAt === undefined ? [{ ...life, to: begin + MAX_START }] : [];
  });
  // The events of a worker can be lost, and a worker that an earlier version started has no row.
  const ofLeases = leases.flatMap(({ worker, readySince }) =>
    readySince === null ? [] : [{ worker, from: readySince, readyAt: readySince, start: {} }],
  );
  const lives: readonly KnownLife[] = [...ofLeases, ...ofOpen, ...ofEnded];
  return [...new Map(lives.map((life) => [life.worker, life])).values()];
}

/** Returns the jobs that the workers run. */
async function runningJobs({ jobs }: SumPorts, leases: readonly Lease[]): Promise<readonly RunningJob[]> {
  const keys = leases.flatMap(({ endpoint, worker, jobs: ids }) => ids.map((id) => ({ endpoint, id, worker })));
  const running: RunningJob[] = [];
  for (let n = 0; n < keys.length; n += pollLimits.batch) {
    const part = keys.slice(n, n + pollLimits.batch);
    const read = await jobs.readMany(part.map(({ endpoint, id }) => ({ endpoint, id })));
    for (const [at, job] of read.entries()) {
      if (job === 'not read') throw new Error('DynamoDB did not read all running jobs.');
      if (job?.status === 'IN_PROGRESS' && job.worker === part[at]?.worker) running.push(job);
    }
  }
  return running;
}

/**
 * Returns the facts of the endpoint since `from`, and the time up to which they are complete.
 * @param isConsistent whether the rows of a moment ago must be among them
 */
export async function factsSince(
  ports: SumPorts,
  { id, workerPrice }: Endpoint,
  all: readonly Lease[],
  { from, isConsistent }: { readonly from: number; readonly isConsistent: boolean },
): Promise<{ readonly facts: Facts; readonly completeTo: number }> {
  const now = ports.clock.now();
  const range = { endpoint: id, after: positionAt(from), before: positionAt(now + 1), isOldestFirst: true };
  const part = { ...range, isConsistent, max: ROWS_PER_SUM } as const;
  const leases = all.filter((lease) => isAlive(lease, now));
  const [jobs, late, attempts, deliveries, lives, running] = await Promise.all([
    ports.jobHistory.read(part),
    ports.lateJobHistory.read(part),
    ports.attemptHistory.read(part),
    ports.deliveryHistory.isKept ? ports.deliveryHistory.read(part) : noRows,
    livesOf(ports, id, { from, now, leases, isConsistent }),
    runningJobs(ports, leases),
  ]);
  const runOf = (job: Pick<EndedJob, 'worker' | 'startedAt' | 'key' | 'owner'>, to: number) =>
    job.worker === undefined || job.startedAt === undefined
      ? []
      : [{ worker: job.worker, payer: payerOf(job), from: job.startedAt, to }];
  const reached = [jobs, late, attempts, deliveries].flatMap((part) =>
    part.reached === undefined ? [] : timeOf(part.reached),
  );
  return {
    completeTo: Math.min(now, ...reached),
    facts: {
      ends: [
        ...jobs.rows.filter((job) => !endsInThePast(job)).map((job) => ({ at: job.finishedAt, job })),
        ...late.rows.map((job) => ({ at: job.storedAt, job })),
      ],
      attempts: attempts.rows,
      deliveries: deliveries.rows,
      lives,
      runs: [
        ...jobs.rows.flatMap((job) => runOf(job, job.finishedAt)),
        ...attempts.rows.flatMap((attempt) => runOf(attempt, attempt.endedAt)),
        ...running.flatMap((job) => runOf(job, job.executionDeadline)),
      ],
      price: workerPrice,
    },
  };
}

/** Returns the begins of the minutes in `[from, to)` in which something happened. */
function minutesOf(span: Span, { ends, attempts, lives, runs }: Facts): readonly number[] {
  const { from, to } = span;
  const minutes = new Set<number>();
  const add = (at: number) => {
    if (isWithin(at, span)) minutes.add(beginOf(at, 'minute'));
  };
  for (const { at } of ends) add(at);
  for (const { endedAt } of attempts) add(endedAt);
  for (const time of [...lives, ...runs]) {
    const last = Math.min(to, time.to ?? to);
    for (let at = beginOf(Math.max(from, time.from), 'minute'); at < last; at += MINUTE) add(at);
  }
  return [...minutes];
}

/**
 * Sums the minutes of an endpoint that ended `SUM_DELAY` ago, then the hours and days that are complete. A repeated call
 * stores the same sums. What was added to the history late has let this call begin earlier (`correctSums`).
 *
 * Input: the endpoint, and the leases of its workers.
 *  1. Read the rows of the history since the last sum, the workers that live, and the jobs that they run. A job that
 *     ended later also ran in these minutes.
 *  2. Store the sums of each minute in which something happened, and add its jobs to the counts of their workers.
 *  3. Store the sums of each hour and day that has ended.
 *  4. Store up to when the endpoint is summed, and the totals with these minutes.
 *
 * Output: what happened since the last sum; undefined if nothing did.
 */
export async function sumEndpoint(
  ports: SumPorts,
  endpoint: Endpoint,
  leases: readonly Lease[],
): Promise<News | undefined> {
  const { usageSums, clock } = ports;
  const { id } = endpoint;
  const due = beginOf(clock.now() - SUM_DELAY, 'minute');
  const summed = await usageSums.summed(id);
  const from = summed?.to ?? beginOf(due - FIRST_SUM, 'minute');
  if (from >= due) return undefined;
  const isCorrected = summed?.correction !== undefined;
  const { facts, completeTo } = await factsSince(ports, endpoint, leases, { from, isConsistent: isCorrected });
  const to = Math.min(due, beginOf(completeTo, 'minute'));
  // A worker that has stopped earlier than known must not stay in minutes in which nothing else happened.
  const replaced = isCorrected ? await usageSums.read(id, 'minute', from, to) : [];
  const happened = minutesOf({ from, to }, facts);
  const minutes = [...new Set([...replaced.map((row) => row.from), ...happened])];
  let counted = summed?.counted;
  if (isCorrected && counted) {
    const changed = beforeReplacing(counted, from, replaced);
    // If it is refused, another sum corrects the minutes.
    if (!(await usageSums.saveCounted(id, counted, changed))) return undefined;
    counted = changed;
  }
  const added: Sums[] = [];
  for (const minute of minutes) {
    const span = { from: minute, to: minute + MINUTE };
    const sums = sumsIn(span, facts);
    await usageSums.saveSums(id, minute, sums);
    added.push(sums);
    for (const [worker, counts] of jobsByWorker(endedIn(span, facts)))
      await ports.workerJobCounts.add(id, worker, minute, counts);
  }
  // The hour of `from` has minutes of earlier sums.
  const times = [from, ...minutes];
  await sumSpans(usageSums, id, 'hour', { times, to });
  await sumSpans(usageSums, id, 'day', { times, to });
  const news = newsIn({ from: Math.max(from, summed?.newsTo ?? from), to }, facts);
  const isNew = minutes.length > 0 || news.deliveries.length > 0;
  // If a correction was requested meanwhile, the next sum begins where it says. The time is stored also without news, so
  // that readers see that nothing happened.
  const before = summed && { ...summed, counted };
  const isStored = await usageSums.saveSummed(id, before, {
    to,
    counted: countedAfter(counted, { to, minutes: added }),
  });
  return isNew && isStored ? news : undefined;
}
