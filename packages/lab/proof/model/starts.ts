/** Checks when handlers may get a job and its input: at-least-once, cancel, and purge. */
import type { Done, History, Start } from './history.ts';
import type { Log, Version } from './log.ts';

const forever = Number.POSITIVE_INFINITY;
const isWaiting = ({ job }: Version) => job.status === 'IN_QUEUE';

interface Purge {
  /** Log indexes of the increase of the generation and of the answer to the purge. */
  readonly cut: number;
  readonly answered: number;
  readonly done: Done | undefined;
}

function purgesIn({ dones }: History, log: Log): Purge[] {
  return log.purges.map(({ index, by }) => {
    const done = dones[by.number];
    return { cut: index, answered: done?.outcome.is === 'answered' ? done.end : forever, done };
  });
}

const takeOf = (start: Start, log: Log) =>
  log
    .versionsOf(start.job)
    .find(({ job }) => job.status === 'IN_PROGRESS' && job.attempt === start.attempt && job.worker === start.worker);

function faultsOfStart(start: Start, history: History, log: Log): string[] {
  const { job, attempt, input, done } = start;
  const versions = log.versionsOf(job);
  const take = takeOf(start, log);
  const same = history.starts.filter((other) => other.job === job && other.attempt === attempt);
  const cancelled = history.dones.some(
    ({ operation, outcome, job: id, end }) =>
      operation.does === 'cancel' &&
      id === job &&
      outcome.is === 'answered' &&
      (outcome.answer as { status?: string } | undefined)?.status === 'CANCELLED' &&
      end <= done.start,
  );
  // The job was waiting when the generation was raised, and has not entered the queue again since then.
  const entry = versions.findLast((version) => isWaiting(version) && version.index < (take?.index ?? 0));
  const late = purgesIn(history, log).some(
    ({ cut, answered, done: purge }) =>
      purge && entry && entry.index < cut && entry.index <= purge.start && take && take.index > answered,
  );
  return [
    ...(take ? [] : ['was given a job that its worker did not take']),
    ...(input === history.inputs.get(job) ? [] : [`was given the input ${input}`]),
    ...(same.length > 1 ? ['was given an attempt that was given before'] : []),
    ...(cancelled ? ['was given a job after its cancellation was answered'] : []),
    ...(late ? ['was given a job after the purge that removed it was answered'] : []),
  ].map((fault) => `take ${done.number} ${fault}: ${job}, attempt ${attempt}`);
}

/** A job may be purged only if it entered the queue before the answer to a purge that preceded its end. */
function faultsOfPurged(id: string, history: History, log: Log): string[] {
  const versions = log.versionsOf(id);
  return versions.flatMap(({ job, index }, n) => {
    if (job.status !== 'CANCELLED' || job.code !== 'PURGED') return [];
    const entry = versions.slice(0, n).findLast(isWaiting);
    const begun = history.dones[entry?.by.number ?? -1]?.start ?? forever;
    const purged = purgesIn(history, log).some(({ cut, answered }) => cut < index && begun < answered);
    return purged ? [] : [`${id} was purged, though it entered the queue after every purge`];
  });
}

export const checkStarts = (ids: readonly string[], history: History, log: Log): string[] => [
  ...history.starts.flatMap((start) => faultsOfStart(start, history, log)),
  ...ids.flatMap((id) => faultsOfPurged(id, history, log)),
];
