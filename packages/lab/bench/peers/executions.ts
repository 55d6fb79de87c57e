/** The log of executions, and what a kill has lost according to it. */
import { existsSync, readFileSync } from 'node:fs';
import type { Outcome } from './peer.ts';

/** A line of the log: a handler starts a job, or the job has its effect. */
export interface Execution {
  readonly job: string;
  readonly event: 'start' | 'effect';
  readonly pid: number;
}

/** @returns the complete lines of the log */
export function readExecutions(file: string): Execution[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Execution);
}

/** Returns the processes that have started a job without its effect, newest first. */
export function unfinished(executions: readonly Execution[]): number[] {
  const done = new Set(executions.flatMap(({ job, event, pid }) => (event === 'effect' ? [`${job} ${pid}`] : [])));
  const open = executions.filter(({ job, event, pid }) => event === 'start' && !done.has(`${job} ${pid}`));
  return open.map(({ pid }) => pid).reverse();
}

export interface Losses {
  /** Number of jobs that the peer acknowledged. */
  readonly acknowledged: number;
  /** Jobs that the peer does not know, reports as failed, or reports as done without their effect. */
  readonly lost: number;
  /** Jobs that had their effect more than once. */
  readonly doubled: number;
  /** Jobs that have not ended within the time limit. */
  readonly stuck: number;
}

/** @param outcomes the last outcome of each acknowledged job, by its id */
export function lossesOf(outcomes: ReadonlyMap<string, Outcome>, executions: readonly Execution[]): Losses {
  const effects = new Map<string, number>();
  for (const { job, event } of executions) if (event === 'effect') effects.set(job, (effects.get(job) ?? 0) + 1);
  const count = (holds: (outcome: Outcome, effects: number) => boolean) =>
    [...outcomes].filter(([id, outcome]) => holds(outcome, effects.get(id) ?? 0)).length;
  return {
    acknowledged: outcomes.size,
    lost: count(
      (outcome, times) => outcome === 'unknown' || outcome === 'failed' || (outcome === 'done' && times === 0),
    ),
    doubled: count((_, times) => times > 1),
    stuck: count((outcome) => outcome === 'waiting'),
  };
}
