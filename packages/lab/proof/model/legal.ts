/**
 * Checks the changes of stored jobs against the state machine of the contract and of docs/explanation/jobs.md. The
 * rules are written independently of the table that the product uses.
 */
import type { Job, PayloadRef } from '../../../../core/jobs/job.ts';
import type { TransitionName } from '../../../../core/jobs/transitions.ts';
import { LEASE, NAMED_AFTER, REPORT_GRACE } from '../../../../core/limits.ts';
import type { Lease } from '../../../../core/workers/lease.ts';
import type { Done, History } from './history.ts';
import type { Log, Version } from './log.ts';

type Row = TransitionName | 'accept';

/** Returns the row that a change of a stored job must be, based only on the job's visible fields. */
export function rowOf(before: Job | undefined, after: Job): Row | undefined {
  if (before?.status === after.status && 'finishedAt' in after) return 'expireSooner';
  if (before?.status === after.status && before.retention !== after.retention) return 'limitRetention';
  const purged = after.status === 'CANCELLED' && after.code === 'PURGED';
  const lost = after.status === 'FAILED' && after.code === 'WORKER_LOST';
  const rows: Readonly<Record<string, Row>> = {
    'nothing IN_QUEUE': 'accept',
    'IN_QUEUE IN_PROGRESS': 'take',
    'IN_QUEUE TIMED_OUT': 'expire',
    'IN_QUEUE CANCELLED': purged ? 'purge' : 'cancelQueued',
    'IN_PROGRESS IN_PROGRESS': 'progress',
    'IN_PROGRESS COMPLETED': 'complete',
    'IN_PROGRESS FAILED': lost ? 'lose' : 'fail',
    'IN_PROGRESS TIMED_OUT': 'timeout',
    'IN_PROGRESS CANCELLED': 'cancelRunning',
    'IN_PROGRESS IN_QUEUE': 'requeue',
    'FAILED IN_QUEUE': 'retry',
    'TIMED_OUT IN_QUEUE': 'retry',
  };
  return rows[`${before?.status ?? 'nothing'} ${after.status}`];
}

const identity = ['id', 'kind', 'owner', 'lowPriority', 'acceptedAt', 'queueTtl', 'executionTimeout', 'input'] as const;
/** Fields that may change when a client shortens the retention of a result. */
const span = ['retention', 'expiresAt'];
const result = ['output', 'error', 'code', 'finishedAt', 'expiresAt', 'worker', 'startedAt'] as const;

interface Change {
  readonly before: Job;
  readonly version: Version;
  readonly done: Done;
  readonly history: History;
  readonly log: Log;
}

const field = (job: Job, name: string) => (job as Readonly<Record<string, unknown>>)[name];
const numberIn = (job: Job, name: string) => Number(field(job, name));

/**
 * Returns whether the job started long ago and the lease still does not name it. The worker then does not know
 * that it has the job.
 */
const isIgnorant = (lease: Lease, job: Job) =>
  !lease.jobs.includes(job.id) && lease.endsAt - LEASE > numberIn(job, 'startedAt') + NAMED_AFTER;

/** Returns whether, at some time during the operation, the holder's lease had ended or did not cover the job. */
function leaseWasOver({ before, done, version, log }: Change): boolean {
  const leases = [{ index: 0, lease: undefined }, ...log.leasesOf(String(field(before, 'worker')))];
  return leases.some(({ index, lease }, n) => {
    const replaced = leases[n + 1]?.index ?? Number.POSITIVE_INFINITY;
    return (
      index <= version.index &&
      replaced > done.start &&
      (!lease || lease.endsAt < version.at || isIgnorant(lease, before))
    );
  });
}

/** Returns whether the holder, which took the job, requeues the job itself. */
const isHolder = ({ before, done, log }: Change) =>
  log.versionsOf(before.id).find(({ job }) => job.status === 'IN_PROGRESS' && job.attempt === before.attempt)?.by
    .caller === done.caller;

function isDurable(ref: unknown, { version, log }: Change): boolean {
  const place = ref as PayloadRef | undefined;
  if (!place || 'inline' in place) return true;
  const name = 'stored' in place ? place.stored : place.object.split('/').slice(3).join('/');
  return log.wasStored(version.job.id, name, version.index);
}

function reportOf({ before, done, history }: Change) {
  const { worker, attempt } = { worker: field(before, 'worker'), attempt: before.attempt };
  return history.reports.find(
    (report) => report.done === done && report.worker === worker && report.attempt === attempt,
  );
}

const sameRun = ({ before, version: { job } }: Change) => {
  const rest = (of: Job) =>
    Object.entries(of)
      .filter(([name]) => !span.includes(name))
      .sort();
  return JSON.stringify(rest(before)) === JSON.stringify(rest(job));
};
const sooner = ({ before, version: { job } }: Change) =>
  job.retention <= before.retention && !(numberIn(job, 'expiresAt') > numberIn(before, 'expiresAt'));
const sameAttempt = ({ before, version }: Change) => version.job.attempt === before.attempt;
const inTime = ({ before, done }: Change) => done.from <= numberIn(before, 'executionDeadline');
const lostOrGivenUp = (change: Change) => isHolder(change) || leaseWasOver(change);
const is = (does: string) => (change: Change) => change.done.operation.does === does;

type Rule = readonly [what: string, holds: (change: Change) => boolean];

/** The rules for a change, by row. */
const rules: Readonly<Record<TransitionName, readonly Rule[]>> = {
  take: [
    ['counts the attempt', ({ before, version }) => version.job.attempt === before.attempt + 1],
    ['is executed before the end of the ttl', ({ before, done }) => done.from < numberIn(before, 'queueDeadline')],
    ["is made by a worker's take", is('take')],
  ],
  expire: [
    ['is executed after the end of the ttl', ({ before, version }) => version.at >= numberIn(before, 'queueDeadline')],
    [
      'sets the end to the end of the ttl',
      ({ before, version }) => field(version.job, 'finishedAt') === field(before, 'queueDeadline'),
    ],
  ],
  purge: [['is executed after a purge', ({ version, log }) => log.purges.some(({ index }) => index < version.index)]],
  cancelQueued: [['is requested', is('cancel')]],
  cancelRunning: [
    ['is requested', is('cancel')],
    ['stores no output', ({ version }) => field(version.job, 'output') === undefined],
  ],
  progress: [
    ['is reported by the holder', (change) => reportOf(change)?.progress === true],
    ['keeps the attempt', sameAttempt],
    ['refers to stored payloads', (change) => isDurable(field(change.version.job, 'output'), change)],
  ],
  complete: [
    ['is reported by the holder', (change) => reportOf(change)?.output !== undefined],
    ['keeps the attempt', sameAttempt],
    ['is reported in time', inTime],
    ['refers to stored payloads', (change) => isDurable(field(change.version.job, 'output'), change)],
  ],
  fail: [
    ['is reported by the holder', (change) => reportOf(change)?.error !== undefined],
    ['keeps the attempt', sameAttempt],
    ['is reported in time', inTime],
    ['refers to stored payloads', (change) => isDurable(field(change.version.job, 'error'), change)],
  ],
  timeout: [
    [
      'is executed after the deadline and, unless by its worker, after the grace',
      (change) =>
        change.version.at > numberIn(change.before, 'executionDeadline') + (isHolder(change) ? 0 : REPORT_GRACE),
    ],
    [
      'sets the end to the deadline',
      ({ before, version }) => field(version.job, 'finishedAt') === field(before, 'executionDeadline'),
    ],
  ],
  requeue: [
    ['takes the job from a lost worker, or from one that requeues it', lostOrGivenUp],
    ['keeps the attempt', sameAttempt],
    ['has an attempt left', ({ before }) => before.attempt < before.attemptLimit],
    ['counts the rescue', ({ before, version }) => version.job.rescues === before.rescues + 1],
    ['stores no result', ({ version }) => result.every((name) => field(version.job, name) === undefined)],
  ],
  lose: [
    ['takes the job from a lost worker, or from one that requeues it', lostOrGivenUp],
    ['has no attempt left', ({ before }) => before.attempt >= before.attemptLimit],
    ['keeps the attempt', sameAttempt],
  ],
  retry: [
    ['is requested', is('retry')],
    ['is executed before the result expires', ({ before, done }) => done.from < numberIn(before, 'expiresAt')],
    ['stores no result', ({ version }) => result.every((name) => field(version.job, name) === undefined)],
    ['keeps the attempt', sameAttempt],
    ['counts the retry', ({ before, version }) => version.job.retries === before.retries + 1],
    ['waits again', ({ version, done }) => version.job.queuedAt >= done.from],
  ],
  limitRetention: [
    ['is requested', is('shorten')],
    ['does not extend the retention', sooner],
    ['changes nothing else', sameRun],
    ['applies to the current wait or run', ({ before, done }) => before.queuedAt <= done.to],
  ],
  expireSooner: [
    ['is requested', is('shorten')],
    ['does not extend the retention', sooner],
    ['changes nothing else', sameRun],
    ['applies to the end that was read', ({ before, done }) => numberIn(before, 'finishedAt') <= done.to],
  ],
};

/** @returns descriptions of the rules that a change breaks */
function faultsOf(row: TransitionName, change: Change): string[] {
  const { before, version } = change;
  const kept = row === 'limitRetention' ? identity : ([...identity, 'retention'] as const);
  const changed = kept.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(version.job[name]));
  const broken = rules[row].filter(([, holds]) => !holds(change)).map(([what]) => `${row} breaks the rule: ${what}`);
  return [...changed.map((name) => `${row} changes ${name}`), ...broken];
}

export interface Legality {
  readonly violations: readonly string[];
  /** Applied rows, one entry for each application. */
  readonly rows: readonly Row[];
}

export function checkLegal(ids: readonly string[], history: History, log: Log): Legality {
  const violations: string[] = [];
  const rows: Row[] = [];
  for (const id of ids) {
    const versions = log.versionsOf(id);
    for (const [n, version] of versions.entries()) {
      const before = versions[n - 1]?.job;
      const row = rowOf(before, version.job);
      const done = history.dones[version.by.number];
      const where = `${id}, version ${n}, by ${version.by.operation} ${version.by.number}`;
      if (!row || !done) {
        violations.push(`${where}: ${before?.status ?? 'nothing'} became ${version.job.status}`);
        continue;
      }
      rows.push(row);
      if (row === 'accept' || !before) continue;
      const faults = faultsOf(row, { before, version, done, history, log });
      violations.push(...faults.map((fault) => `${where}: ${fault}`));
    }
  }
  return { violations, rows };
}
