/** `gpu-endpoints logs`: prints and follows what the workers of an endpoint have printed, or what belongs to one job. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { historyLimits } from '../../core/history/limits.ts';
import type { EndedWorkerList, EndedWorkerSummary } from '../../core/history/list-workers.ts';
import { MINUTE } from '../../core/limits.ts';
import { endpointLogLimits, logSources } from '../../core/logs/endpoint-logs.ts';
import { call, segment } from './call.ts';
import { untilInterrupted } from './interrupt.ts';
import { hasEnded, type JobRecord } from './job.ts';
import { sameProfile } from './next-steps.ts';
import { type CommonOptions, common, serviceOf } from './options.ts';
import { ago, printJson } from './print.ts';
import type { Service } from './service.ts';
import { timeOption } from './time.ts';

/** Milliseconds between two reads. Lines arrive in the logs within seconds. */
const PAUSE = 2_000;

/** Characters of a worker's id that are printed. */
const SHORT_ID = 8;

/** A part of the id of a worker. */
const BEGINNING = /^[0-9a-f]{1,31}$/;

interface Line {
  readonly time: string;
  readonly source: string;
  readonly worker?: string;
  readonly message: string;
  readonly truncated?: boolean;
}

/** A page of lines. Only pages of a job have its status. */
interface Page extends Partial<Pick<JobRecord, 'attempts' | 'id' | 'status'>> {
  readonly lines: readonly Line[];
  readonly nextCursor?: string;
}

interface LogsOptions extends CommonOptions {
  readonly job?: string;
  readonly worker?: string | undefined;
  readonly source?: string;
  readonly since?: string;
  readonly follow?: boolean;
  readonly start?: boolean;
}

type Parsed = Readonly<Partial<Record<'level' | 'message' | 'jobId', unknown>>>;

/**
 * Returns the text of a line for people: of a line of JSON its level and message, as SDKs and agents write them.
 * @param showsJob whether the text ends with the id of the job
 */
function readable(message: string, showsJob: boolean): string {
  if (!message.startsWith('{')) return message;
  try {
    const { level, message: text, jobId } = JSON.parse(message) as Parsed;
    if (typeof text !== 'string') return message;
    const job = showsJob && typeof jobId === 'string' ? ` (job ${jobId})` : '';
    return `${typeof level === 'string' ? `${level.toUpperCase()} ` : ''}${text}${job}`;
  } catch {
    return message;
  }
}

function print({ time, source, worker, message, truncated }: Line, showsJob: boolean): void {
  const from = worker === undefined ? source.padEnd('worker'.length) : worker.slice(0, SHORT_ID);
  console.log(`${time}  ${from}  ${readable(message, showsJob)}${truncated ? ' …' : ''}`);
}

type Read = (cursor: string | undefined, signal: AbortSignal) => Promise<Page>;

/** Returns how to read a page of the lines that the options select. */
function reader(service: Service, endpoint: string, { job, worker, source, since }: LogsOptions): Read {
  const of = segment(endpoint);
  return (cursor, signal) =>
    job === undefined
      ? call(service, 'management', 'GET', `/endpoints/${of}/logs`, {
          query: { worker, source, since: cursor === undefined ? since : undefined, cursor },
          signal,
        })
      : call(service, 'jobs', 'GET', `/${of}/logs/${segment(job)}`, { query: { cursor }, signal });
}

/** Returns whether no more lines follow, or the user does not want to wait for them. */
function isOver({ lines, nextCursor, status }: Page, follow: boolean): boolean {
  if (nextCursor === undefined) return true;
  return lines.length === 0 && (!follow || (status !== undefined && hasEnded({ status })));
}

/** Returns the ids of the workers that have printed lines, also of workers that have ended. */
async function workersIn(read: Read, signal: AbortSignal): Promise<readonly string[]> {
  const ids = new Set<string>();
  let page = await read(undefined, signal);
  for (;;) {
    for (const { worker } of page.lines) if (worker !== undefined) ids.add(worker);
    if (isOver(page, false)) return [...ids];
    page = await read(page.nextCursor, signal);
  }
}

/**
 * Returns the id of the worker that the user has named by the beginning of its id, as lines show it.
 * @throws Error if no worker or several workers have such an id
 */
async function wholeId(service: Service, endpoint: string, options: LogsOptions, signal: AbortSignal) {
  const { worker } = options;
  if (worker === undefined || !BEGINNING.test(worker)) return worker;
  const begins = (id: string) => id.startsWith(worker);
  const path = `/endpoints/${segment(endpoint)}/workers`;
  const living = await call<{ workers: readonly { id: string }[] }>(service, 'management', 'GET', path, { signal });
  let ids = living.workers.map(({ id }) => id).filter(begins);
  if (ids.length === 0)
    ids = (await workersIn(reader(service, endpoint, { ...options, worker: undefined }), signal)).filter(begins);
  const [id, ...others] = ids;
  if (id === undefined)
    throw new Error(
      `No worker of ${endpoint} has an id that begins with ${worker}, and no line is of such a worker. An earlier --since reads more lines.`,
    );
  if (others.length > 0) throw new Error(`${worker} begins the ids of several workers: ${ids.join(', ')}.`);
  return id;
}

/** How ECS begins the message about a worker that is no longer needed. */
const NOT_NEEDED = 'Scaling activity';

/** Returns whether the worker failed before it asked for a job. */
const failedToStart = ({ readySince, reason }: EndedWorkerSummary): boolean =>
  readySince === undefined && !reason?.startsWith(NOT_NEEDED);

/**
 * Returns the options that select the lines of the last worker that failed before it asked for a job, and says why it
 * stopped.
 * @throws Error if there is no such worker
 */
async function failedStart(service: Service, endpoint: string, options: LogsOptions): Promise<LogsOptions> {
  const { since } = options;
  const path = `/endpoints/${segment(endpoint)}/workers/ended`;
  const query = { since, limit: historyLimits.page.max };
  const { workers, readTo } = await call<EndedWorkerList>(service, 'management', 'GET', path, { query });
  const worker = workers.find(failedToStart);
  if (worker === undefined)
    throw new Error(`No worker of ${endpoint} has failed before it asked for a job since ${readTo}.`);
  const { id, createdAt, endedAt, exitCode, reason, stopCode } = worker;
  const exit = exitCode === undefined ? '' : ` with exit code ${exitCode}`;
  console.error(`Worker ${id} stopped ${ago(endedAt)}${exit}, before it asked for a job: ${reason ?? stopCode}`);
  return { ...options, worker: id, since: createdAt ?? endedAt };
}

async function logs(endpoint: string, selected: LogsOptions): Promise<void> {
  const { job, json, follow = false } = selected;
  const service = serviceOf(selected);
  const options = selected.start ? await failedStart(service, endpoint, selected) : selected;
  await untilInterrupted(
    () => `${job === undefined ? `The workers of ${endpoint} go on` : `${job} goes on`}.`,
    async (signal) => {
      const read = reader(service, endpoint, { ...options, worker: await wholeId(service, endpoint, options, signal) });
      let printed = 0;
      let page = await read(undefined, signal);
      for (;;) {
        for (const line of page.lines) {
          if (json) printJson(line);
          else print(line, job === undefined);
        }
        printed += page.lines.length;
        if (isOver(page, follow)) break;
        if (page.lines.length === 0) await pause(PAUSE, undefined, { signal });
        page = await read(page.nextCursor, signal);
      }
      if (printed === 0 && !json)
        console.error(
          job === undefined
            ? `The workers of ${endpoint} have printed nothing${options.since === undefined ? ` in the last ${endpointLogLimits.since / MINUTE} minutes` : ''}.`
            : page.attempts
              ? `${job} has no lines: its worker has printed nothing, or the log of the worker was removed.`
              : `${job} has no lines yet: it has not run.`,
        );
      if (job !== undefined && !json && (page.attempts ?? 0) > 1)
        console.error(
          `These are the lines of attempt ${page.attempts}. Those of earlier attempts are in the log of the endpoint: npx gpu-endpoints logs ${endpoint} --since 1h${sameProfile(options)}`,
        );
    },
  );
}

export function addLogs(program: Command): void {
  common(
    program
      .command('logs')
      .description('print what the workers of an endpoint have printed, also before their first job')
      .argument('<endpoint>', 'id of the endpoint')
      .addOption(
        new Option('--job <job>', 'only the lines of this job, with those of its agent').conflicts([
          'worker',
          'source',
          'since',
        ]),
      )
      .addOption(
        new Option(
          '--start',
          'the lines of the last worker that failed before it asked for a job, and why it stopped',
        ).conflicts(['job', 'worker', 'follow']),
      )
      .option('--worker <worker>', 'only the lines of this worker: its id or how that begins')
      .addOption(new Option('--source <container>', 'container whose lines are printed').choices(logSources))
      .option(
        '--since <time>',
        'time of the first line, or how long ago it was, such as 1h (default: 15min)',
        timeOption,
      )
      .option('-f, --follow', 'go on with new lines, until the job ends or you press Ctrl-C'),
    'GET /v1/endpoints/ENDPOINT/logs, or of GET /v2/ENDPOINT/logs/JOB, each of its lines in one line',
    'logs chat -f',
  ).action(logs);
}
