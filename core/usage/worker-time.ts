/** Divides the time of workers among the jobs that they ran, their starts, and idle time. */

/** A span of time, in milliseconds since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Returns whether the time is in the span, whose end is not. */
export const isWithin = (at: number, { from, to }: Span): boolean => at >= from && at < to;

/** The life of a worker, from its place on a machine to its stop. Times are in milliseconds since the epoch. */
export interface WorkerLife {
  readonly worker: string;
  readonly from: number;
  /** When the container first asked for jobs; absent if it has not. */
  readonly readyAt?: number | undefined;
  /** Absent while the worker lives. */
  readonly to?: number | undefined;
}

/** The run of a job on a worker. */
export interface JobRun {
  readonly worker: string;
  /** Who pays for it (`payerOf`). */
  readonly payer: string;
  readonly from: number;
  /** Absent while the job runs. */
  readonly to?: number | undefined;
}

/** Times of workers, in milliseconds. */
export interface WorkerTime {
  /** Time in which a worker ran jobs. */
  readonly busy: number;
  /** Time from the place of a worker to its first ask for jobs. */
  readonly starting: number;
  readonly idle: number;
  /** The busy time by payer. While a worker runs several jobs, each has an equal share. */
  readonly byPayer: ReadonlyMap<string, number>;
}

type Run = Span & Pick<JobRun, 'payer'>;

const within = (span: Span, from: number, to: number | undefined): Span => ({
  from: Math.max(span.from, from),
  to: Math.min(span.to, to ?? span.to),
});

const lengthOf = ({ from, to }: Span) => Math.max(0, to - from);

/** Adds the shares of the runs of one worker to `byPayer`, and returns the time in which any of them ran. */
function busyTime(runs: readonly Run[], byPayer: Map<string, number>): number {
  const events = runs
    .flatMap((run) => [
      { at: run.from, run, begins: true },
      { at: run.to, run, begins: false },
    ])
    .sort((one, other) => one.at - other.at);
  const active = new Set<Run>();
  let busy = 0;
  let last = 0;
  for (const { at, run, begins } of events) {
    const length = at - last;
    if (active.size > 0 && length > 0) {
      busy += length;
      for (const { payer } of active) byPayer.set(payer, (byPayer.get(payer) ?? 0) + length / active.size);
    }
    last = at;
    if (begins) active.add(run);
    else active.delete(run);
  }
  return busy;
}

/** Returns the runs that overlap the span, cut to it, by worker. */
function runsIn(span: Span, runs: readonly JobRun[]): ReadonlyMap<string, readonly Run[]> {
  const cut = runs.map(({ worker, payer, from, to }) => ({ worker, payer, ...within(span, from, to) }));
  return Map.groupBy(
    cut.filter((run) => lengthOf(run) > 0),
    ({ worker }) => worker,
  );
}

/**
 * Returns the times of the workers in a span. A worker whose life is unknown counts while it runs jobs.
 * @param lives of different workers
 */
export function workerTimeIn(span: Span, lives: readonly WorkerLife[], runs: readonly JobRun[]): WorkerTime {
  const byWorker = runsIn(span, runs);
  const byPayer = new Map<string, number>();
  const known = new Set(lives.map(({ worker }) => worker));
  let [busy, starting, idle] = [0, 0, 0];
  for (const [worker, ofWorker] of byWorker) if (!known.has(worker)) busy += busyTime(ofWorker, byPayer);
  for (const { worker, from, readyAt, to } of lives) {
    const life = within(span, from, to);
    const ofWorker = (byWorker.get(worker) ?? [])
      .map((run) => ({ ...run, ...within(life, run.from, run.to) }))
      .filter((run) => lengthOf(run) > 0);
    const worked = busyTime(ofWorker, byPayer);
    // A worker that runs jobs has started.
    const started = Math.min(readyAt ?? life.to, ...ofWorker.map((run) => run.from));
    const start = lengthOf(within(life, life.from, started));
    busy += worked;
    starting += start;
    idle += lengthOf(life) - worked - start;
  }
  return { busy, starting, idle, byPayer };
}
