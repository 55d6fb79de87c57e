/** `gpu-endpoints jobs`: lists, reads, cancels and retries jobs. */
import { type Command, Option } from 'commander';
import { jobStatuses } from '../../core/jobs/job.ts';
import { listLimits } from '../../core/limits.ts';
import { withExample } from '../example.ts';
import { call, segment } from './call.ts';
import { type HistoryOptions, isOfHistory, listEnded, withHistory } from './history.ts';
import { codeOf, hasEnded, type JobRecord, printRecord, printRemedies } from './job.ts';
import { nextSteps } from './next-steps.ts';
import { common, type PageOptions, paged, printNext, serviceOf } from './options.ts';
import { ago, duration, printJson, printTable } from './print.ts';
import type { Service } from './service.ts';
import { type KnownJob, printEnd, type WaitOptions, withWait, withWaitOrStream } from './wait.ts';
import { printMeanings } from './wait-reasons.ts';

interface JobSummary extends JobRecord {
  readonly createdAt: string;
}

interface JobList {
  readonly requests: readonly JobSummary[];
  readonly nextCursor?: string;
}

const { max } = listLimits.page;

/** Most jobs that one command lists, over several pages. */
const MAX_JOBS = 10_000;

interface ListOptions extends HistoryOptions, PageOptions {
  readonly status?: string;
}

/** Lists jobs, page by page until there are as many as wanted. A page can be short though more jobs follow. */
async function list(endpoint: string | undefined, options: ListOptions): Promise<void> {
  if (isOfHistory(options)) return listEnded(endpoint, options);
  if (endpoint === undefined)
    throw new Error('The endpoint is missing. With --since, jobs that have ended are listed of all endpoints.');
  const service = serviceOf(options);
  const { status, limit } = options;
  const jobs: JobSummary[] = [];
  let { cursor } = options;
  do {
    const page: JobList = await call(service, 'jobs', 'GET', `/${segment(endpoint)}/requests`, {
      query: { status, cursor, limit: Math.min(max, limit - jobs.length) },
    });
    jobs.push(...page.requests);
    cursor = page.nextCursor;
  } while (cursor !== undefined && jobs.length < limit);
  if (options.json) return printJson({ requests: jobs, ...(cursor !== undefined && { nextCursor: cursor }) });
  printTable<JobSummary>(
    [
      { head: 'JOB', text: ({ id }) => id },
      { head: 'STATUS', text: (job) => job.status },
      { head: 'SUBMITTED', text: ({ createdAt }) => ago(createdAt), isNumber: true },
      { head: 'WAITED', text: ({ delayTime }) => duration(delayTime), isNumber: true, omitted: 1 },
      { head: 'RAN', text: ({ executionTime }) => duration(executionTime), isNumber: true, omitted: 2 },
      { head: 'WHY', text: ({ code, waitReason }) => code ?? waitReason },
    ],
    jobs,
    status === undefined ? `${endpoint} has no jobs.` : `${endpoint} has no jobs that are ${status}.`,
  );
  printMeanings(jobs.map(({ waitReason }) => waitReason));
  printNext(cursor);
}

interface JobOptions extends WaitOptions {
  readonly endpoint?: string;
}

/** Returns the endpoint of a job, which its id does not contain. */
async function endpointOf(service: Service, { endpoint }: JobOptions, id: string): Promise<string> {
  return endpoint ?? (await call<{ endpoint: string }>(service, 'management', 'GET', `/jobs/${segment(id)}`)).endpoint;
}

/** Finds the job that the arguments name. */
async function jobOf(id: string, options: JobOptions): Promise<KnownJob> {
  const service = serviceOf(options);
  return { service, id, endpoint: await endpointOf(service, options, id) };
}

const pathOf = (operation: string, { endpoint, id }: KnownJob) => `/${segment(endpoint)}/${operation}/${segment(id)}`;

async function get(id: string, options: JobOptions): Promise<void> {
  const job = await jobOf(id, options);
  const record = await call<JobRecord>(job.service, 'jobs', 'GET', pathOf('status', job), {
    query: { timeline: 'true' },
  });
  if (options.wait || options.stream) return printEnd(job, options);
  if (options.json) return printJson(record);
  const next = nextSteps(options, job.endpoint, id);
  printRecord(job.endpoint, record, next);
  if (hasEnded(record) && codeOf(record) !== 0) printRemedies(record, next);
}

type Changed = Pick<JobRecord, 'id' | 'status'>;

/** Cancels a job. The service answers for a job that has ended with its status. */
async function cancel(id: string, options: JobOptions): Promise<void> {
  const job = await jobOf(id, options);
  const answer = await call<Changed>(job.service, 'jobs', 'POST', pathOf('cancel', job));
  if (options.json) return printJson(answer);
  const { status } = answer;
  console.log(status === 'CANCELLED' ? `${id} is CANCELLED.` : `${id} had ended already: ${status}.`);
}

async function retry(id: string, options: JobOptions): Promise<void> {
  const job = await jobOf(id, options);
  const answer = await call<Changed>(job.service, 'jobs', 'POST', pathOf('retry', job));
  if (options.wait) return printEnd(job, options);
  if (options.json) return printJson(answer);
  console.log(`${id} is ${answer.status}.`);
  console.error(`Its state: ${nextSteps(options, job.endpoint, id).get}`);
}

export function addJobs(program: Command): void {
  const jobs = withExample(
    program.command('jobs').description('list, read, cancel and retry jobs'),
    'jobs ls chat --status FAILED',
  );
  const ls = jobs
    .command('ls')
    .description('list the jobs of an endpoint, newest first; with --since and its like, jobs that have ended')
    .argument('[endpoint]', 'id of the endpoint (default, with --since and its like: all endpoints)')
    .addOption(
      new Option('--status <statuses>', `one or more of ${jobStatuses.join(', ')}, with commas`).argParser((statuses) =>
        statuses.toUpperCase(),
      ),
    );
  common(
    paged(withHistory(ls), 'jobs', MAX_JOBS, 20),
    'GET /v2/ENDPOINT/requests, or of GET /v1/jobs, with all pages in one',
    'jobs ls chat --since 12h --failed --group-by error',
  ).action(list);
  const ofJob = (command: Command) =>
    command
      .argument('<job>', 'id of the job')
      .option('--endpoint <endpoint>', 'endpoint of the job (default: the one that has it)');
  common(
    withWaitOrStream(
      ofJob(jobs.command('get').description('print a job: its status, the stages of its wait, its output')),
    ),
    'GET /v2/ENDPOINT/status/JOB; with --stream each chunk in one line',
    'jobs get JOB_ID',
  ).action(get);
  common(
    ofJob(jobs.command('cancel').description('cancel a job')),
    'POST /v2/ENDPOINT/cancel/JOB',
    'jobs cancel JOB_ID',
  ).action(cancel);
  common(
    withWait(ofJob(jobs.command('retry').description('queue a job again that has failed or timed out'))),
    'POST /v2/ENDPOINT/retry/JOB; with --wait GET /v2/ENDPOINT/status/JOB',
    'jobs retry JOB_ID',
  ).action(retry);
}
