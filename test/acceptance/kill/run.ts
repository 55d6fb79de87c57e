/** Runs a cell: brings the target into the phase, delivers the signal, and waits until all jobs have ended. */
import { LEASE } from '../../../core/limits.ts';
import { isAlive, isStopped } from '../../runner/processes.ts';
import { startStopwatch } from '../../runner/stopwatch.ts';
import { eventually } from '../local-service.ts';
import type { Cell, Phase, Target } from './cells.ts';
import type { Gate, Held } from './gate.ts';
import {
  EVERY,
  effectOf,
  idleWorker,
  jobEnds,
  named,
  type Place,
  started,
  statusOf,
  submitted,
  WITHIN,
  type Worker,
} from './place.ts';
import { signalAll } from './processes.ts';
import { judge, type Verdict } from './verdict.ts';

export interface Outcome {
  /** Proof that the target was in the phase. */
  readonly reached: string;
  /** Milliseconds from the signal until all jobs had ended. */
  readonly milliseconds: number;
  /** Verdicts on the cell's job and on the two jobs behind it. */
  readonly verdicts: readonly Verdict[];
  readonly problems: readonly string[];
}

/** Bytes of an output that is larger than a pipe's buffer, so its writer waits for the reader. */
const BALLAST = 4_000_000;
/**
 * Milliseconds that the handler works in later attempts. Late reports of the first attempt arrive within this
 * time.
 */
const WORKS_AGAIN = 3_000;

const allOf = ({ agent, supervisor, runner }: Worker) => [agent, supervisor, runner];
const processesOf = (worker: Worker, target: Target) => (target === 'task' ? allOf(worker) : [worker[target]]);

const stopped = (pids: readonly number[]) =>
  eventually('the processes are stopped', () => pids.every((pid) => isStopped(pid)) || undefined, { every: 5 });

async function assertStatus(place: Place, job: string, expected: string): Promise<void> {
  const { status } = await statusOf(place, job);
  if (status !== expected) throw new Error(`The phase was missed: job ${job} is ${status}; it must be ${expected}.`);
}

interface Reached {
  /** Undefined while the target is idle. */
  readonly job?: string;
  /** The write that is held in the gate. */
  readonly held?: Held;
  readonly how: string;
}

type Reach = (place: Place, worker: Worker, cell: Cell) => Promise<Reached>;

const effect = (cell: Cell, more: object = {}) => ({ op: 'effect', ms: [cell.works, WORKS_AGAIN], ...more });

/** Submits a job and waits until the gate holds its write of this status, or the response. */
async function held(place: Place, cell: Cell, ...[what, to]: Parameters<Gate['hold']>) {
  const waiting = place.endpoint.gate.hold(what, to);
  const job = await submitted(place, effect(cell));
  await waiting.arrived;
  return { job, held: waiting };
}

const reach: Readonly<Record<Phase, Reach>> = {
  idle: async () => ({ how: 'its last job has ended' }),

  async taking(place, _, cell) {
    const reached = await held(place, cell, 'response', 'IN_PROGRESS');
    await assertStatus(place, reached.job, 'IN_PROGRESS');
    return { ...reached, how: 'response to the take held' };
  },

  async running(place, { id }, cell) {
    const job = await submitted(place, effect(cell));
    await started(place, job, 1);
    await assertStatus(place, job, 'IN_PROGRESS');
    if (cell.named) await named(place, job, id);
    return { job, how: cell.named ? 'start logged, job in the lease' : 'start logged' };
  },

  async finishing(place, { supervisor }, cell) {
    if (cell.target !== 'runner') {
      const reached = await held(place, cell, 'write', 'COMPLETED');
      await effectOf(place, reached.job);
      await assertStatus(place, reached.job, 'IN_PROGRESS');
      return { ...reached, how: 'write of the result held' };
    }
    // A stopped supervisor reads no result, and a large result does not fit into a pipe.
    const job = await submitted(place, effect(cell, { size: BALLAST }));
    await started(place, job, 1);
    signalAll([supervisor], 'SIGSTOP');
    await stopped([supervisor]);
    await effectOf(place, job);
    await assertStatus(place, job, 'IN_PROGRESS');
    return { job, how: 'effect logged, supervisor stopped' };
  },

  async recorded(place, _, cell) {
    const reached = await held(place, cell, 'response', 'COMPLETED');
    await assertStatus(place, reached.job, 'COMPLETED');
    return { ...reached, how: 'response to the result held' };
  },
};

/**
 * Lets a held write continue, or closes its connection if the agent was killed. Also continues a stopped
 * supervisor.
 */
function releaseHeld({ target, phase, signal: name }: Cell, { supervisor }: Worker, { held: waiting }: Reached): void {
  if (target === 'runner' && phase === 'finishing') signalAll([supervisor], 'SIGCONT');
  if (name === 'SIGKILL' && (target === 'agent' || target === 'task')) waiting?.drop();
  else void waiting?.release();
}

/**
 * Continues the stopped processes after the length of a lease. The agent has renewed its lease meanwhile and keeps
 * the job.
 */
async function outlastLease(pids: readonly number[]): Promise<void> {
  const since = Date.now();
  await eventually('the lease would have ended', () => Date.now() > since + LEASE || undefined, { every: EVERY });
  signalAll(pids, 'SIGCONT');
}

/** Continues a stopped agent after another worker has taken its job. The agent's reports must then be refused. */
async function outlastRescue(place: Place, worker: Worker, job: string, cell: Cell, late?: Held): Promise<string[]> {
  const { endpoint } = place;
  if (cell.phase === 'idle') await jobEnds(place, job);
  else await started(place, job, 2);
  const problems: string[] = [];
  const moved = allOf(worker).filter((pid) => processesOf(worker, cell.target).includes(pid) && !isStopped(pid));
  if (moved.length > 0) problems.push(`processes ${moved} continued before another worker had the job`);
  if (late && (await late.release()) !== 400) problems.push('a write that arrived too late was executed');

  const since = Date.now();
  signalAll(allOf(worker), 'SIGCONT');
  await eventually(
    `worker ${worker.id} of ${endpoint.id} has released all jobs, or is gone`,
    () =>
      allOf(worker).every((pid) => !isAlive(pid)) ||
      endpoint.gate.beats.some(({ worker: id, at, jobs }) => id === worker.id && at > since && jobs.length === 0) ||
      undefined,
    { within: WITHIN, every: EVERY },
  );
  return problems;
}

export async function runCell(place: Place, cell: Cell): Promise<Outcome> {
  const worker = await idleWorker(place);
  const pids = processesOf(worker, cell.target);
  const reached = await reach[cell.phase](place, worker, cell);
  const submitBehind = () => Promise.all([submitted(place, { op: 'effect' }), submitted(place, { op: 'effect' })]);
  const before = reached.job === undefined ? [] : await submitBehind();

  const stopwatch = startStopwatch();
  const hit = Date.now();
  signalAll(pids, cell.signal);
  if (cell.signal === 'SIGSTOP') await stopped(pids);
  const takenOver = cell.signal === 'SIGSTOP' && cell.workers === 2;
  const isLate = takenOver && cell.phase === 'finishing';
  if (!isLate) releaseHeld(cell, worker, reached);
  const job = reached.job ?? (await submitted(place, effect(cell)));
  const behind = reached.job === undefined ? await submitBehind() : before;

  const problems: string[] = [];
  if (takenOver) problems.push(...(await outlastRescue(place, worker, job, cell, isLate ? reached.held : undefined)));
  else if (cell.signal === 'SIGSTOP') await outlastLease(pids);
  for (const each of [job, ...behind]) await jobEnds(place, each);
  const milliseconds = Date.now() - hit;
  if (cell.within && stopwatch.milliseconds() > cell.within) problems.push(`it took ${milliseconds} ms`);
  stopwatch.stop();

  const verdicts = [await judge(place, job, cell.attempts)];
  // The dying process might have one of these jobs.
  const attemptsBehind = cell.signal === 'SIGSTOP' ? [1] : [1, 2];
  for (const each of behind) verdicts.push(await judge(place, each, attemptsBehind));
  problems.push(...verdicts.flatMap((verdict) => verdict.problems));
  return { reached: reached.how, milliseconds, verdicts, problems };
}
