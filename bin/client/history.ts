/** The part of `gpu-endpoints jobs ls` that lists jobs that have ended, also those whose results have expired. */
import { type Command, Option } from 'commander';
import type { EarlierAttempt } from '../../core/history/earlier-attempts.ts';
import type { FailureGroup, FailureList } from '../../core/history/failures.ts';
import { historyLimits } from '../../core/history/limits.ts';
import type { endedSummary } from '../../core/history/list-jobs.ts';
import { call, segment } from './call.ts';
import { type PageOptions, printNext, serviceOf } from './options.ts';
import { ago, type Column, dollars, duration, printJson, printTable } from './print.ts';
import type { Service } from './service.ts';
import { timeOption } from './time.ts';

type EndedJob = ReturnType<typeof endedSummary> & { readonly earlierAttempts?: readonly EarlierAttempt[] };

interface EndedJobList {
  readonly jobs: readonly EndedJob[];
  readonly readTo: string;
  readonly nextCursor?: string;
}

/** Options of which each selects the history. */
export interface HistoryOptions {
  readonly since?: string;
  readonly until?: string;
  readonly failed?: boolean;
  readonly code?: string;
  readonly error?: string;
  readonly key?: string;
  readonly worker?: string;
  readonly release?: string;
  readonly job?: string;
  readonly groupBy?: 'error';
}

/** Adds the options that select the history. */
export const withHistory = (command: Command): Command =>
  command
    .option('--since <time>', 'list jobs that ended since this time, or this long ago, such as 12h', timeOption)
    .option('--until <time>', 'list jobs that ended until this time', timeOption)
    .option('--failed', 'list jobs that failed or timed out')
    .option('--code <code>', 'list jobs that ended with this code, such as WORKER_ERROR')
    .option('--error <fingerprint>', 'list jobs with this error, whose fingerprint --group-by prints')
    .option('--key <key>', 'list jobs that this API key submitted: the id that `keys ls` prints')
    .option('--worker <worker>', 'list jobs whose last attempt this worker ran')
    .option('--release <revision>', 'list jobs whose last attempt this revision ran')
    .option('--job <job>', 'list the attempts of one job, also after its result has expired')
    .addOption(new Option('--group-by <field>', 'count failed jobs by their errors').choices(['error']));

/** Returns whether the options ask for jobs of the history, and not for those whose records are retained. */
export const isOfHistory = (options: HistoryOptions): boolean =>
  [
    options.since,
    options.until,
    options.failed,
    options.code,
    options.error,
    options.key,
    options.worker,
    options.release,
    options.job,
    options.groupBy,
  ].some((value) => value !== undefined);

type ListOptions = HistoryOptions & PageOptions & { readonly status?: string };

/** Lists jobs that have ended, of one or all endpoints, page by page until there are as many as wanted. */
export async function listEnded(endpoint: string | undefined, options: ListOptions): Promise<void> {
  const service = serviceOf(options);
  if (options.groupBy !== undefined) return listFailures(service, endpoint, options);
  const { limit, code, error, key, worker, release, job, since, until } = options;
  const status = options.status ?? (options.failed ? 'FAILED,TIMED_OUT' : undefined);
  const jobs: EndedJob[] = [];
  let { cursor } = options;
  let readTo: string;
  do {
    const query = { endpoint, status, code, error, key, worker, release, job, since, until };
    const page: EndedJobList = await call(service, 'management', 'GET', '/jobs', {
      query: { ...query, cursor, limit: Math.min(historyLimits.page.max, limit - jobs.length) },
    });
    jobs.push(...page.jobs);
    ({ nextCursor: cursor, readTo } = page);
  } while (cursor !== undefined && jobs.length < limit);
  if (options.json) return printJson({ jobs, readTo, ...(cursor !== undefined && { nextCursor: cursor }) });
  const empty = `No such job ended since ${readTo}.`;
  if (job !== undefined) {
    printTable(attemptColumns, jobs.flatMap(attemptsOf), empty);
    return printNext(cursor);
  }
  printTable<EndedJob>(
    [
      { head: 'JOB', text: ({ id }) => id },
      ...(endpoint === undefined ? [{ head: 'ENDPOINT', text: (ended: EndedJob) => ended.endpoint }] : []),
      { head: 'STATUS', text: (ended) => ended.status },
      { head: 'ENDED', text: ({ endedAt }) => ago(endedAt), isNumber: true },
      { head: 'RAN', text: ({ executionTime }) => duration(executionTime), isNumber: true },
      { head: 'COST', text: (row) => dollars(row.dollars), isNumber: true },
      { head: 'KEY', text: ({ key, owner }) => key ?? `user ${owner}`, omitted: 1 },
      { head: 'WORKER', text: ({ worker }) => worker, omitted: 2 },
      { head: 'RELEASE', text: ({ revision }) => revision, isNumber: true },
      { head: 'WHY', text: ({ error: line, code: reason }) => line ?? reason, below: true },
    ],
    jobs,
    empty,
  );
  printNext(cursor);
}

/** An attempt of a job, with the status of the job after it. */
interface Attempt {
  readonly attempt: number;
  readonly followedBy: string;
  readonly endedAt: string;
  readonly executionTime: number;
  readonly dollars?: number | undefined;
  readonly revision?: number | undefined;
  readonly worker?: string | undefined;
  readonly reason?: string | undefined;
}

/** Returns the attempts up to the end of the job, oldest first. */
const attemptsOf = ({ earlierAttempts = [], attempts, status, code, error, ...ended }: EndedJob): Attempt[] => [
  ...earlierAttempts.map((attempt) => ({ ...attempt, followedBy: 'IN_QUEUE' })),
  { ...ended, attempt: attempts, followedBy: status, reason: error ?? code },
];

const attemptColumns: readonly Column<Attempt>[] = [
  { head: 'ATTEMPT', text: ({ attempt }) => attempt, isNumber: true },
  { head: 'STATUS', text: ({ followedBy }) => followedBy },
  { head: 'ENDED', text: ({ endedAt }) => ago(endedAt), isNumber: true },
  { head: 'RAN', text: ({ executionTime }) => duration(executionTime), isNumber: true },
  { head: 'COST', text: (row) => dollars(row.dollars), isNumber: true },
  { head: 'RELEASE', text: ({ revision }) => revision, isNumber: true },
  { head: 'WORKER', text: ({ worker }) => worker },
  { head: 'WHY', text: ({ reason }) => reason, below: true },
];

/** A group of failures with its endpoint. */
interface EndpointFailures extends FailureGroup {
  readonly endpoint: string;
}

/** Returns the first names and the number of the others. */
function named(names: readonly (string | number)[], count = names.length): string {
  const first = names.slice(0, 3);
  return [first.join(','), ...(count > first.length ? [`+${count - first.length}`] : [])].join(' ');
}

/** Lists the failures of one or all endpoints by their errors. */
async function listFailures(service: Service, endpoint: string | undefined, options: ListOptions): Promise<void> {
  const { since, until } = options;
  const endpoints =
    endpoint === undefined
      ? (await call<{ endpoints: readonly { id: string }[] }>(service, 'management', 'GET', '/endpoints')).endpoints
      : [{ id: endpoint }];
  const failures: EndpointFailures[] = [];
  const counted: (FailureList & { readonly endpoint: string })[] = [];
  for (const { id } of endpoints) {
    const query = { since, until };
    const list = await call<FailureList>(service, 'management', 'GET', `/endpoints/${segment(id)}/failures`, { query });
    counted.push({ ...list, endpoint: id });
    failures.push(...list.failures.map((group) => ({ endpoint: id, ...group })));
  }
  failures.sort((one, other) => other.count - one.count);
  const sum = (name: 'ended' | 'failed') => counted.reduce((total, list) => total + list[name], 0);
  const [ended, failed] = [sum('ended'), sum('failed')];
  const readTo = counted.map((list) => list.readTo).toSorted((one, other) => other.localeCompare(one))[0] ?? since;
  if (options.json) return printJson({ failures, ended, failed, readTo });
  printTable<EndpointFailures>(
    [
      { head: 'FAILED', text: ({ count }) => count, isNumber: true },
      ...(endpoint === undefined ? [{ head: 'ENDPOINT', text: (group: EndpointFailures) => group.endpoint }] : []),
      { head: 'FINGERPRINT', text: ({ fingerprint }) => fingerprint },
      { head: 'FIRST', text: ({ first }) => ago(first), isNumber: true },
      { head: 'LAST', text: ({ last }) => ago(last), isNumber: true },
      {
        head: 'WORKERS',
        text: (group) =>
          named(
            group.workers.map(({ worker }) => worker),
            group.workerCount,
          ),
        shrinks: 'end',
      },
      { head: 'RELEASES', text: (group) => named(group.releases.map(({ revision }) => revision)) },
      {
        head: 'KEYS',
        text: ({ keys = [], keyCount }) =>
          named(
            keys.map(({ key }) => key),
            keyCount,
          ),
        shrinks: 'end',
      },
      { head: 'CODE', text: ({ code }) => code },
      { head: 'ERROR', text: ({ error }) => error, below: true },
    ],
    failures,
    `None of ${ended} jobs failed since ${readTo}.`,
  );
  if (failures.length > 0) console.error(`${failed} of ${ended} jobs failed since ${readTo}.`);
  for (const list of counted.filter(({ nextCursor }) => nextCursor !== undefined))
    console.error(`${list.endpoint} has more jobs: --until ${list.readTo}`);
}
