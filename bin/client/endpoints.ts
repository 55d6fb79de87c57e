/** `gpu-endpoints endpoints`: lists and reads endpoints, and purges their queues. */
import type { Command } from 'commander';
import type { EndpointSummary } from '../../core/management/endpoints.ts';
import type { EndpointDetails } from '../../core/management/read-endpoint.ts';
import { withExample } from '../example.ts';
import { askAtTerminal, NOT_CONFIRMED } from '../terminal.ts';
import { call, segment } from './call.ts';
import { addEvents } from './events.ts';
import { sameProfile } from './next-steps.ts';
import { type CommonOptions, common, serviceOf } from './options.ts';
import { ago, duration, printFacts, printJson, printTable } from './print.ts';
import { addSeries } from './usage.ts';
import { detailOf, printMeanings } from './wait-reasons.ts';

interface EndpointList {
  readonly endpoints: readonly EndpointSummary[];
}

/** Returns the part of an image's name that differs between versions: the tag, or the beginning of the digest. */
const versionOf = (image: string | undefined) => /(?:@sha256:|:)([^:/]+)$/.exec(image ?? '')?.[1]?.slice(0, 12);

/**
 * Returns the version of the image, which no worker runs after the rollback of its release, and the version of the
 * template that workers still run during a release.
 */
function imageOf({ image, release, running }: EndpointSummary): string | undefined {
  const version = versionOf(image);
  if (version === undefined || release === undefined) return version;
  if (release.state === 'ROLLED_BACK') return `${version} (not running)`;
  const isOther = release.state === 'IN_PROGRESS' && running && running.version !== release.version;
  return isOther ? `${version} (version ${running.version} runs)` : version;
}

/** Reasons for which jobs wait although the endpoint works. */
const WORKING: readonly unknown[] = ['LOW_PRIORITY', 'NO_WORKER', 'SCALING_UP', 'WORKERS_BUSY', 'WORKER_STARTING'];

/** Returns what an endpoint does in a word, or why its jobs wait. */
function stateOf({ health }: EndpointSummary): string {
  const { jobs, workers, waitReason } = health;
  const isWaiting = waitReason !== undefined && jobs.inQueue > 0;
  if (isWaiting && !WORKING.includes(waitReason)) return waitReason;
  if (jobs.inProgress > 0) return 'RUNNING';
  if (isWaiting) return waitReason;
  return workers.ready + workers.initializing > 0 ? 'READY' : 'NO_WORKERS';
}

const workersOf = ({ health: { workers }, maxWorkers }: EndpointSummary) =>
  `${workers.ready + workers.initializing} of ${maxWorkers}`;

async function list(options: CommonOptions): Promise<void> {
  const answer = await call<EndpointList>(serviceOf(options), 'management', 'GET', '/endpoints');
  if (options.json) return printJson(answer);
  printTable<EndpointSummary>(
    [
      { head: 'ENDPOINT', text: ({ id }) => id },
      { head: 'STATE', text: stateOf },
      { head: 'WAITING', text: ({ health }) => health.jobs.inQueue, isNumber: true },
      { head: 'RUNNING', text: ({ health }) => health.jobs.inProgress, isNumber: true },
      { head: 'WORKERS', text: workersOf, isNumber: true },
      { head: 'IMAGE', text: imageOf },
      {
        head: 'RELEASE',
        text: ({ release }) => release && `${release.state} ${ago(release.endedAt ?? release.startedAt)}`,
        shrinks: 'end',
      },
    ],
    answer.endpoints,
    'There are no endpoints that this key may call.',
  );
  printMeanings(answer.endpoints.map(stateOf));
}

/** Returns the release that the workers run, if it is not the last one. */
function runningOf({ release, running }: EndpointDetails): string | undefined {
  if (running === undefined || running.revision === release?.revision) return undefined;
  return `release ${running.revision}, with version ${running.version} of the template ${running.template}`;
}

/** Reasons that the log of the workers explains. */
const IN_LOG: readonly unknown[] = ['WORKER_EXITS', 'WORKER_UNHEALTHY'];

/** Returns the commands that help an endpoint whose workers fail. */
function nextStepsOf({ id, health }: EndpointDetails, options: CommonOptions): (readonly [string, string])[] {
  if (!IN_LOG.includes(health.waitReason)) return [];
  const profile = sameProfile(options);
  return [
    ['Its log', `npx gpu-endpoints logs ${id}${profile}`],
    ['Once repaired', `npx gpu-endpoints endpoints resume ${id}${profile}`],
  ];
}

async function get(id: string, options: CommonOptions): Promise<void> {
  const path = `/endpoints/${segment(id)}`;
  const endpoint = await call<EndpointDetails>(serviceOf(options), 'management', 'GET', path);
  if (options.json) return printJson(endpoint);
  const { health, template, image, release, workerPrice } = endpoint;
  const { jobs, workers } = health;
  printFacts([
    ['Endpoint', endpoint.id],
    ['State', stateOf(endpoint)],
    ['Why', detailOf(health.waitReason, health.waitDetail)],
    ['What helps', endpoint.remedy],
    ...nextStepsOf(endpoint, options),
    ['Jobs', `${jobs.inQueue} waiting, ${jobs.inProgress} running, ${jobs.completed} completed, ${jobs.failed} failed`],
    [
      'Workers',
      `${workers.running} with a job, ${workers.idle} idle, ${workers.initializing} starting, ${workers.unhealthy} unhealthy; from ${endpoint.minWorkers} to ${endpoint.maxWorkers}`,
    ],
    ['Price', workerPrice && `$${workerPrice.hour.toFixed(2)} an hour for a worker in ${workerPrice.region}`],
    ['Template', `${template.id}${template.version === undefined ? '' : `, version ${template.version}`}`],
    ['Drift', template.driftedFields?.join(', ')],
    ['Image', image && (release?.state === 'ROLLED_BACK' ? `${image}, of the release that was rolled back` : image)],
    [
      'Release',
      release &&
        `${release.state} ${ago(release.endedAt ?? release.startedAt)}${release.reason === undefined ? '' : `: ${release.reason}`}`,
    ],
    ['Running', runningOf(endpoint)],
    ['Runs on', `${endpoint.category}, by the protocol ${endpoint.protocol}`],
    ['Examples', endpoint.examples?.map(({ name }) => name).join(', ')],
    ['Idle time-out', duration(endpoint.idleTimeout)],
    ['Time limit', `${duration(endpoint.executionTimeout)} for a job without executionTimeout`],
  ]);
}

interface PurgeOptions extends CommonOptions {
  readonly yes?: boolean;
}

async function purge(id: string, options: PurgeOptions): Promise<void> {
  const service = serviceOf(options);
  const ask = askAtTerminal();
  if (!options.yes) {
    const typed = await ask?.(
      `All jobs that wait for ${id} of ${service.name} will be removed. Type ${id} to confirm: `,
    );
    if (typed !== id) {
      console.error(ask ? 'Nothing is removed.' : 'Nothing is removed: confirm at a terminal, or with --yes.');
      process.exitCode = NOT_CONFIRMED;
      return;
    }
  }
  const answer = await call<{ removed: number }>(service, 'jobs', 'POST', `/${segment(id)}/purge-queue`);
  if (options.json) printJson(answer);
  else console.log(`${answer.removed} jobs of ${id} are removed.`);
}

export function addEndpoints(program: Command): Command {
  const endpoints = withExample(
    program.command('endpoints').description('list and read endpoints, and purge their queues'),
    'endpoints get chat',
  );
  common(
    endpoints.command('ls').description('list the endpoints that the key may call, with their jobs and workers'),
    'GET /v1/endpoints',
    'endpoints ls',
  ).action(list);
  common(
    endpoints
      .command('get')
      .description('print an endpoint: what it does, why its jobs wait, its workers and its release')
      .argument('<endpoint>', 'id of the endpoint'),
    'GET /v1/endpoints/ENDPOINT',
    'endpoints get chat',
  ).action(get);
  addSeries(endpoints);
  addEvents(endpoints);
  common(
    endpoints
      .command('purge')
      .description('remove all jobs that wait; jobs that run go on')
      .argument('<endpoint>', 'id of the endpoint')
      .option('-y, --yes', 'ask nothing'),
    'POST /v2/ENDPOINT/purge-queue',
    'endpoints purge chat',
  ).action(purge);
  return endpoints;
}
