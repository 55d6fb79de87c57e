/** `gpu-endpoints workers`: lists the workers of an endpoint. */
import type { Command } from 'commander';
import type { WorkerSummary } from '../../core/management/workers.ts';
import { withExample } from '../example.ts';
import { call, segment } from './call.ts';
import { type CommonOptions, common, serviceOf } from './options.ts';
import { ago, duration, printJson, printTable } from './print.ts';

interface WorkerList {
  readonly workers: readonly WorkerSummary[];
}

/** Returns how long the start of the worker took, from the request to the first ask for jobs. */
const startOf = ({ timeline = [] }: WorkerSummary) =>
  timeline.length === 0 ? '' : duration(timeline.reduce((sum, stage) => sum + stage.duration, 0));

async function list(endpoint: string, options: CommonOptions): Promise<void> {
  const path = `/endpoints/${segment(endpoint)}/workers`;
  const answer = await call<WorkerList>(serviceOf(options), 'management', 'GET', path);
  if (options.json) return printJson(answer);
  printTable<WorkerSummary>(
    [
      { head: 'WORKER', text: ({ id }) => id, shrinks: 'end' },
      { head: 'STATE', text: ({ state, retiring }) => `${state}${retiring ? ', retiring' : ''}` },
      { head: 'SINCE', text: ({ since }) => ago(since), isNumber: true },
      { head: 'STARTED IN', text: startOf, isNumber: true },
      { head: 'RELEASE', text: ({ revision }) => revision, isNumber: true },
      { head: 'SEEN', text: ({ seenAt }) => ago(seenAt), isNumber: true },
      { head: 'JOBS', text: ({ jobs }) => jobs.join(' '), shrinks: 'end' },
    ],
    answer.workers,
    `${endpoint} has no workers now.`,
  );
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
      .argument('<endpoint>', 'id of the endpoint'),
    'GET /v1/endpoints/ENDPOINT/workers',
    'workers ls chat',
  ).action(list);
}
