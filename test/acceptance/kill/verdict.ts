/** Checks what must be true for every job, whatever happened to its workers. */
import type { LogLine } from './endpoints.ts';
import { type Place, timelineOf } from './place.ts';

export interface Verdict {
  readonly job: string;
  readonly attempts: number;
  readonly starts: number;
  readonly effects: number;
  /** Whether the job waited for the start of a worker, according to its timeline. */
  readonly waitedForStart: boolean;
  readonly problems: readonly string[];
}

/** Returns whether the handler of an older attempt still worked, under a valid lease, when a newer attempt started. */
function overlaps({ endpoint, processes }: Place, lines: readonly LogLine[], older: LogLine, newer: LogLine): boolean {
  const hasEnded = lines.some(
    ({ attempt, event, at }) => attempt === older.attempt && event === 'effect' && at <= newer.at,
  );
  const hasDied = (processes.lastSeen(older.pid) ?? 0) <= newer.at;
  const { takes, beats } = endpoint.gate;
  const worker = takes.find(({ job, attempt }) => job === older.job && attempt === older.attempt)?.worker;
  const lease = beats.findLast((beat) => beat.worker === worker && beat.at <= newer.at);
  return !hasEnded && !hasDied && (lease?.endsAt ?? 0) >= newer.at;
}

/**
 * Checks a job that has ended.
 * @param allowed numbers of attempts
 */
export async function judge(
  place: Place,
  job: string,
  allowed: readonly number[],
  status: 'COMPLETED' | 'FAILED' = 'COMPLETED',
): Promise<Verdict> {
  const { record, timeline } = await timelineOf(place, job);
  const lines = place.endpoint.log().filter((line) => line.job === job);
  const takes = place.endpoint.gate.takes.filter((take) => take.job === job);
  const starts = lines.filter(({ event }) => event === 'start');
  const effects = lines.filter(({ event }) => event === 'effect');
  const attempts = Number(record.attempts);
  const problems: string[] = [];
  const must = (holds: boolean, otherwise: string) => {
    if (!holds) problems.push(`${job}: ${otherwise}`);
  };

  must(record.status === status, `its status is ${record.status}`);
  const total = timeline.reduce((sum, { duration }) => sum + duration, 0);
  must(total === record.delayTime, `its stages last ${total} ms, not its delayTime of ${record.delayTime} ms`);
  must(allowed.includes(attempts), `it had ${attempts} attempts, not ${allowed.join(' or ')}`);
  must(new Set(starts.map(({ attempt }) => attempt)).size === starts.length, 'an attempt was started twice');
  must(new Set(takes.map(({ attempt }) => attempt)).size === attempts, `${takes.length} takes, ${attempts} attempts`);
  must(starts.length <= 1 + Math.max(...takes.map(({ rescues }) => rescues)), `${starts.length} starts are too many`);

  if (status === 'COMPLETED') {
    const { attempt, pid } = (record.output ?? {}) as { attempt?: number; pid?: number };
    const counts = effects.filter((line) => line.attempt === attempt && line.pid === pid);
    must(
      counts.length === 1,
      `its output is from attempt ${attempt} in process ${pid}, which has no effect in the log`,
    );
    must(attempt === attempts, `its output is from attempt ${attempt}, and its record has ${attempts} attempts`);
    const worker = takes.find((take) => take.attempt === attempt)?.worker;
    must(worker === record.workerId, `its record has worker ${record.workerId}, but ${worker} completed it`);
  }
  for (const older of starts)
    for (const newer of starts)
      must(
        older.attempt >= newer.attempt || !overlaps(place, lines, older, newer),
        `attempts ${older.attempt} and ${newer.attempt} ran at the same time`,
      );
  const waitedForStart = timeline.some(({ stage }) => stage === 'WORKER');
  return { job, attempts, starts: starts.length, effects: effects.length, waitedForStart, problems };
}
