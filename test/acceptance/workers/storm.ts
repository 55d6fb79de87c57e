/** Submits many jobs at the same time, while containers of their workers are killed. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { MAX_ATTEMPTS, SECOND } from '../../../core/limits.ts';
import { processIds } from '../../runner/processes.ts';
import { seedOf } from '../../runner/seed.ts';
import { identify, signalAll } from '../kill/processes.ts';
import { eventually, type LocalService } from '../local-service.ts';
import type { Kind } from './kinds.ts';
import { type JobRecord, type Place, placeAt } from './place.ts';

/**
 * Milliseconds of each job. With two workers of four slots each, all jobs of a kind take about as long as the
 * kills.
 */
const WORKS = 3 * SECOND;
const KILL_EVERY = 5 * SECOND;
/** Maximum number of kills for one kind, so that a job that is hit each time still has its last attempt. */
export const MAX_KILLS = MAX_ATTEMPTS - 1;
const WITHIN = 180 * SECOND;

const victims = ['the agent', "the worker's container", 'both containers'] as const;

/** A line that a handler writes when it starts, or right before it returns. */
export interface LogLine {
  readonly job: string;
  readonly attempt: number;
  readonly pid: number;
  readonly event: 'start' | 'effect';
}

export interface StormSize {
  /** Total number of jobs for all kinds of workers. */
  readonly jobs: number;
  /** Number of kills for each kind of workers, at most `MAX_KILLS`. */
  readonly kills: number;
}

export interface StormJob {
  readonly id: string;
  readonly record: JobRecord;
  readonly log: readonly LogLine[];
}

export interface Storm {
  readonly jobs: readonly StormJob[];
  /** One sentence for each kill. */
  readonly kills: readonly string[];
  readonly milliseconds: number;
}

interface Share {
  readonly place: Place;
  /** Number of jobs to submit, and the ids of the submitted jobs. */
  readonly count: number;
  readonly ids: string[];
}

function readLog(file: string): LogLine[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as LogLine);
}

async function submitAll({ place, count, ids }: Share): Promise<void> {
  while (ids.length < count) ids.push(await place.submit({ do: 'effect', ms: WORKS, log: place.log }));
}

/** Returns the process ids of handlers that are working now. */
function working(lines: readonly LogLine[]): number[] {
  const hasEnded = ({ job, attempt }: LogLine) =>
    lines.some((line) => line.event === 'effect' && line.job === job && line.attempt === attempt);
  return lines.filter((line) => line.event === 'start' && !hasEnded(line)).map(({ pid }) => pid);
}

/** Waits until a worker has jobs, and kills containers of one such worker. Kills none if all jobs have ended. */
async function killOne({ stateDir }: LocalService, { place, count }: Share, pick: (count: number) => number) {
  const tasks = await eventually(`a worker of ${place.endpoint} has jobs`, () => {
    const lines = readLog(place.log);
    const busy = new Set(working(lines).flatMap((pid) => identify(pid, stateDir)?.task ?? []));
    const ended = new Set(lines.filter(({ event }) => event === 'effect').map(({ job }) => job));
    return busy.size > 0 || ended.size === count
      ? [...busy].toSorted((one, other) => one.localeCompare(other))
      : undefined;
  });
  if (tasks.length === 0) return `none: all jobs of ${place.endpoint} have ended`;
  const [task, victim] = [tasks[pick(tasks.length)], victims[pick(victims.length)] ?? victims[0]];
  const hit = processIds().filter((pid) => {
    const known = identify(pid, stateDir);
    const container = known?.role === 'agent' ? victims[0] : victims[1];
    return known?.task === task && (victim === victims[2] || victim === container);
  });
  signalAll(hit, 'SIGKILL');
  return `${victim} of ${tasks.length} workers of ${place.endpoint}, ${hit.length} processes`;
}

/** Waits until all jobs have ended. One call of `/health` returns their number. */
async function endOf({ place, ids }: Share): Promise<StormJob[]> {
  const hasEnded = async () => {
    const { completed, failed } = await place.counts();
    return completed + failed >= ids.length || undefined;
  };
  await eventually(`all ${ids.length} jobs of ${place.endpoint} have ended`, hasEnded, {
    within: WITHIN,
    every: SECOND,
  });
  const lines = readLog(place.log);
  return Promise.all(
    ids.map(async (id) => ({ id, record: await place.ended(id), log: lines.filter(({ job }) => job === id) })),
  );
}

/**
 * Submits the jobs, kills containers of each kind of worker alternately, and waits until all jobs have ended.
 * STORM_SEED selects which containers are killed.
 */
export async function storm(
  service: LocalService,
  kinds: readonly Kind[],
  { jobs: count, kills: killsOfKind }: StormSize,
): Promise<Storm> {
  const seed = seedOf('STORM_SEED');
  let picks = 0;
  function pick(count: number): number {
    picks += 1;
    return createHash('sha256').update(`${seed} ${picks}`).digest().readUInt32LE() % count;
  }

  const began = Date.now();
  const share = (n: number) => Math.floor((count + kinds.length - 1 - n) / kinds.length);
  const shares = kinds.map(
    (kind, n): Share => ({ place: placeAt(service, `storm-${kind}`), count: share(n), ids: [] }),
  );
  const submitted = Promise.all(shares.map(submitAll));
  submitted.catch(() => undefined);
  const kills: string[] = [];
  for (const own of Array.from({ length: killsOfKind }, () => shares).flat()) {
    const next = delay(KILL_EVERY);
    const killed = await killOne(service, own, pick);
    kills.push(`${Date.now() - began} ms: ${killed}`);
    await next;
  }

  await submitted;
  const ended = await Promise.all(shares.map(endOf));
  return { jobs: ended.flat(), kills, milliseconds: Date.now() - began };
}
