/** `gpu-endpoints workers`: lists the workers of an endpoint. */
import type { Command } from 'commander';
import type { EndedWorkerList, EndedWorkerSummary } from '../../core/history/list-workers.ts';
import type { WorkerSummary } from '../../core/management/workers.ts';
import { withExample } from '../example.ts';
import { call, segment } from './call.ts';
import { type CommonOptions, common, serviceOf } from './options.ts';
import { ago, dollars, duration, printJson, printTable } from './print.ts';
import { timeOption } from './time.ts';

interface WorkerList {
  readonly workers: readonly WorkerSummary[];
}

interface ListOptions extends CommonOptions {
  readonly all?: boolean;
  readonly since?: string;
}

/** Returns how long the start of the worker took, from the request to the first ask for jobs. */
const startOf = ({ timeline = [] }: Pick<WorkerSummary, 'timeline'>) =>
  timeline.length === 0 ? '' : duration(timeline.reduce((sum, stage) => sum + stage.duration, 0));

/** Lists the workers that live, and with `--all` or `--since` those that have stopped. */
async function list(endpoint: string, options: ListOptions): Promise<void> {
  const service = serviceOf(options);
  const path = `/endpoints/${segment(endpoint)}/workers`;
  const answer = await call<WorkerList>(service, 'management', 'GET', path);
  const { since } = options;
  const ended =
    options.all || since !== undefined
      ? await call<EndedWorkerList>(service, 'management', 'GET', `${path}/ended`, { query: { since } })
      : undefined;
  if (options.json) {
    const { workers: stopped, ...read } = ended ?? { workers: undefined };
    return printJson({ ...answer, ...(stopped && { ended: stopped, ...read }) });
  }
  printTable<WorkerSummary>(
    [
      { head: 'WORKER', text: ({ id }) => id, shrinks: 'end' },
      { head: 'STATE', text: ({ state, retiring }) => `${state}${retiring ? ', retiring' : ''}` },
      { head: 'SINCE', text: ({ since }) => ago(since), isNumber: true },
      { head: 'STARTED IN', text: startOf, isNumber: true },
      { head: 'RELEASE', text: ({ revision }) => revision, isNumber: true },
      { head: 'DONE', text: ({ completed }) => completed, isNumber: true, omitted: 2 },
      { head: 'FAILED', text: ({ failed }) => failed, isNumber: true },
      { head: 'SEEN', text: ({ seenAt }) => ago(seenAt), isNumber: true, omitted: 1 },
      { head: 'JOBS', text: ({ jobs }) => jobs.join(' '), shrinks: 'end' },
    ],
    answer.workers,
    `${endpoint} has no workers now.`,
  );
  if (ended) printEnded(endpoint, ended);
}

/** Returns why the worker stopped, and the error of its last job that failed. */
function whyStopped({ reason, stopCode, lastError }: EndedWorkerSummary): string {
  const error = lastError?.error ?? lastError?.code;
  return [reason ?? stopCode, error && `last error: ${error}`].filter(Boolean).join('; ');
}

function printEnded(endpoint: string, { workers, readTo, nextCursor }: EndedWorkerList): void {
  console.log('');
  printTable<EndedWorkerSummary>(
    [
      { head: 'STOPPED WORKER', text: ({ id }) => id, shrinks: 'end' },
      { head: 'STOPPED', text: ({ endedAt }) => ago(endedAt), isNumber: true },
      {
        head: 'WAS READY',
        text: ({ readySince }) => (readySince === undefined ? 'never' : ago(readySince)),
        isNumber: true,
      },
      { head: 'STARTED IN', text: startOf, isNumber: true },
      { head: 'RELEASE', text: ({ revision }) => revision, isNumber: true, omitted: 2 },
      { head: 'DONE', text: ({ completed }) => completed, isNumber: true },
      { head: 'FAILED', text: ({ failed }) => failed, isNumber: true },
      { head: 'COST', text: (worker) => dollars(worker.dollars), isNumber: true },
      { head: 'TYPE', text: ({ type, capacity }) => type ?? capacity, omitted: 1 },
      { head: 'EXIT', text: ({ exitCode }) => exitCode, isNumber: true },
      { head: 'WHY', text: whyStopped, below: true },
    ],
    workers,
    `No worker of ${endpoint} has stopped since ${readTo}.`,
  );
  if (nextCursor !== undefined) console.error(`Workers that stopped before ${readTo} are not listed.`);
}

export function addWorkers(program: Command): void {
  const workers = withExample(
    program.command('workers').description('list the workers of an endpoint'),
    'workers ls chat',
  );
  common(
    workers
      .command('ls')
      .description('list the workers of an endpoint with their jobs')
      .argument('<endpoint>', 'id of the endpoint')
      .option('--all', 'also list workers that have stopped: their jobs, their cost, and why they stopped')
      .option(
        '--since <time>',
        'also list those that stopped since this time, or this long ago, such as 12h',
        timeOption,
      ),
    'GET /v1/endpoints/ENDPOINT/workers, and with --all that of /workers/ended',
    'workers ls chat --all',
  ).action(list);
}
