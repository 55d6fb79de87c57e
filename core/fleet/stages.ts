/** Divides the wait of a job into stages, by the start of the worker that took the job. */
import type { WorkerStart } from './start.ts';

/** The stages of a wait, in their order. */
export const stageNames = ['QUEUED', 'INSTANCE', 'BOOT', 'IMAGE', 'WORKER', 'TAKE'] as const;
export type StageName = (typeof stageNames)[number];

/** A part of a wait. Times are in milliseconds. */
export interface Stage {
  readonly stage: StageName;
  readonly from: number;
  readonly duration: number;
}

/** The wait of a job: from its submission or last retry until its start, its end, or now. */
export interface Wait {
  readonly from: number;
  readonly to: number;
  /** Whether a worker has taken the job. */
  readonly taken: boolean;
}

/** Returns the end of each stage, if the start contains it. */
const ends: Readonly<Record<Exclude<StageName, 'TAKE'>, (start: WorkerStart) => number | undefined>> = {
  QUEUED: ({ createdAt }) => createdAt,
  INSTANCE: ({ launchedAt }) => launchedAt,
  // ECS pulls the image as soon as the task has a place.
  BOOT: ({ registeredAt, pullStartedAt }) => registeredAt ?? pullStartedAt,
  IMAGE: ({ pullStoppedAt }) => pullStoppedAt,
  WORKER: ({ readyAt }) => readyAt,
};
const endingStages = Object.keys(ends) as (keyof typeof ends)[];

/**
 * Returns whether the job waited for this start: the worker became ready after the job was queued, or is not ready yet.
 */
export function isWaitFor({ from, taken }: Wait, { readyAt, startedAt }: WorkerStart): boolean {
  const ready = readyAt ?? (taken ? startedAt : undefined);
  return ready === undefined ? !taken : ready > from;
}

/** Divides the time from `from` to `to` at the known ends of stages. The rest after the last end is the stage `rest`. */
function divide(from: number, to: number, start: WorkerStart, rest?: StageName): Stage[] {
  const stages: Stage[] = [];
  let last: StageName | undefined;
  let at = from;
  for (const stage of endingStages) {
    const end = ends[stage](start);
    if (end === undefined) continue;
    const until = Math.max(at, Math.min(end, to));
    stages.push({ stage, from: at, duration: until - at });
    at = until;
    last = stage;
  }
  const next = stageNames[last === undefined ? 0 : stageNames.indexOf(last) + 1] ?? 'TAKE';
  return [...stages, { stage: rest ?? next, from: at, duration: to - at }];
}

/**
 * Divides the wait of a job into stages, whose durations add up to the wait.
 *
 * Ends of stages are limited to the wait, and never precede an earlier end. A stage whose end is unknown is part of the
 * next stage. The last stage is `TAKE` or, if the job still waits, the stage that the worker has reached.
 * @param start of the worker that took the job, or that starts while the job waits
 */
export function stagesOf(wait: Wait, start: WorkerStart | undefined): Stage[] {
  const { from, taken } = wait;
  const to = Math.max(from, wait.to);
  if (start && isWaitFor(wait, start)) return divide(from, to, start, taken ? 'TAKE' : undefined);
  if (!taken) return [{ stage: 'QUEUED', from, duration: to - from }];
  return [
    { stage: 'QUEUED', from, duration: to - from },
    { stage: 'TAKE', from: to, duration: 0 },
  ];
}

/**
 * Divides the start of a worker into stages, from the request for the worker until it is ready.
 * @param until end of the last stage if the worker is not ready
 */
export function startStagesOf(start: WorkerStart, until: number): Stage[] {
  const { createdAt, readyAt } = start;
  if (createdAt === undefined) return [];
  const to = Math.max(createdAt, readyAt ?? until);
  const stages = divide(createdAt, to, start);
  return stages.filter(({ stage }) => stage !== 'QUEUED' && stage !== 'TAKE');
}
