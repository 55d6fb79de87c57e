/** The tools of the Model Context Protocol server: what an assistant can read of a deployment, and change if allowed. */
import * as z from 'zod';
import { endStatuses } from '../../core/history/ended-job.ts';
import { historyLimits } from '../../core/history/limits.ts';
import { jobStatuses } from '../../core/jobs/job.ts';
import { listLimits, logLimits } from '../../core/limits.ts';
import { logSources } from '../../core/logs/endpoint-logs.ts';
import { type CallOptions, call, segment } from '../client/call.ts';
import type { Service } from '../client/service.ts';

/** A tool, whose arguments are those of the schema and whose result is what the service answers. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly arguments: z.ZodObject;
  /** Whether the tool changes something, so that the user must allow it. */
  readonly writes?: true;
  readonly run: (service: Service, given: never) => Promise<unknown>;
}

/** Types the arguments of `run` by the schema. */
const tool = <Arguments extends z.ZodObject>(
  definition: Omit<Tool, 'arguments' | 'run'> & {
    readonly arguments: Arguments;
    readonly run: (service: Service, given: z.infer<Arguments>) => Promise<unknown>;
  },
): Tool => definition;

const endpoint = z.string().describe('Id of the endpoint.');
const job = z.string().describe('Id of the job.');
const since = z.string().optional().describe('Time of the first end in UTC. Default: 24 hours ago.');
const ofEndpoint = z.object({ endpoint });
const ofJob = z.object({ endpoint, job });

const read = (service: Service, to: 'jobs' | 'management', path: string, query: CallOptions['query'] = {}) =>
  call<unknown>(service, to, 'GET', path, { query });

export const tools: readonly Tool[] = [
  tool({
    name: 'list_endpoints',
    description: 'Lists the endpoints with their waiting and running jobs, workers, images and last releases.',
    arguments: z.object({}),
    run: (service) => read(service, 'management', '/endpoints'),
  }),
  tool({
    name: 'get_endpoint',
    description:
      'Reads one endpoint. If its jobs wait, waitReason is the reason, waitDetail the message of the provider, and remedy what helps.',
    arguments: ofEndpoint,
    run: (service, given) => read(service, 'management', `/endpoints/${segment(given.endpoint)}`),
  }),
  tool({
    name: 'list_workers',
    description: 'Lists the workers of an endpoint with their states, jobs, releases and the stages of their start.',
    arguments: ofEndpoint,
    run: (service, given) => read(service, 'management', `/endpoints/${segment(given.endpoint)}/workers`),
  }),
  tool({
    name: 'list_releases',
    description: 'Lists the releases of an endpoint, newest first, with the reason of those that were rolled back.',
    arguments: ofEndpoint,
    run: (service, given) => read(service, 'management', `/endpoints/${segment(given.endpoint)}/releases`),
  }),
  tool({
    name: 'list_jobs',
    description: 'Lists the jobs of an endpoint, newest first. Waiting jobs have a waitReason, failed jobs a code.',
    arguments: z.object({
      endpoint,
      status: z.array(z.enum(jobStatuses)).optional().describe('Lists only jobs with these statuses.'),
      limit: z.int().min(1).max(listLimits.page.max).default(20),
      cursor: z.string().optional().describe('nextCursor of an earlier list.'),
    }),
    run: (service, { endpoint: id, status, limit, cursor }) =>
      read(service, 'jobs', `/${segment(id)}/requests`, { status: status?.join(','), limit, cursor }),
  }),
  tool({
    name: 'list_ended_jobs',
    description:
      'Lists jobs that have ended in the last 30 days, newest first, also those whose results have expired, of one or all endpoints.',
    arguments: z.object({
      endpoint: endpoint.optional(),
      status: z.array(z.enum(endStatuses)).optional().describe('Lists only jobs with these statuses.'),
      error: z.string().optional().describe('fingerprint of the error, as list_failures returns it.'),
      job: z.string().optional().describe('Id of the only job to list.'),
      since,
      limit: z.int().min(1).max(historyLimits.page.max).default(50),
      cursor: z.string().optional().describe('nextCursor of an earlier list.'),
    }),
    run: (service, { status, ...query }) =>
      read(service, 'management', '/jobs', { ...query, status: status?.join(',') }),
  }),
  tool({
    name: 'list_failures',
    description:
      'Groups the failed jobs of an endpoint by their errors, with their number, first and last time, workers and releases.',
    arguments: ofEndpoint.extend({ since }),
    run: (service, given) =>
      read(service, 'management', `/endpoints/${segment(given.endpoint)}/failures`, { since: given.since }),
  }),
  tool({
    name: 'get_job',
    description: 'Reads a job: its status, why it waits or failed, the stages of its wait, and its output.',
    arguments: ofJob,
    run: (service, given) =>
      read(service, 'jobs', `/${segment(given.endpoint)}/status/${segment(given.job)}`, { timeline: 'true' }),
  }),
  tool({
    name: 'get_job_log',
    description:
      'Reads what the worker and its agent have printed for the current attempt of a job, oldest line first.',
    arguments: z.object({
      endpoint,
      job,
      limit: z.int().min(1).max(logLimits.page.max).default(100),
      cursor: z.string().optional().describe('nextCursor of an earlier page.'),
    }),
    run: (service, { endpoint: id, job: ofId, limit, cursor }) =>
      read(service, 'jobs', `/${segment(id)}/logs/${segment(ofId)}`, { limit, cursor }),
  }),
  tool({
    name: 'get_endpoint_log',
    description:
      'Reads what the workers of an endpoint have printed, also those that exited before they took a job, oldest line first.',
    arguments: z.object({
      endpoint,
      since: z.string().optional().describe('Time of the first line, ISO 8601. Default: 15 minutes ago.'),
      worker: z.string().optional().describe('Id of a worker, to read only its lines.'),
      source: z.enum(logSources).optional().describe('The container: worker runs the handler, agent takes the jobs.'),
      limit: z.int().min(1).max(logLimits.page.max).default(100),
      cursor: z.string().optional().describe('nextCursor of an earlier page.'),
    }),
    run: (service, { endpoint: id, ...query }) => read(service, 'management', `/endpoints/${segment(id)}/logs`, query),
  }),
  tool({
    name: 'list_failed_webhooks',
    description: 'Lists deliveries of webhooks that failed and were not sent again, with the answers of the receivers.',
    arguments: ofEndpoint,
    run: (service, given) => read(service, 'jobs', `/${segment(given.endpoint)}/webhooks`),
  }),
  tool({
    name: 'run_job',
    description:
      'Submits a job and waits at most 60 seconds for its end. The answer has the id and the status of the job.',
    arguments: z.object({
      endpoint,
      input: z.record(z.string(), z.unknown()).describe('Input of the job, as its worker expects it.'),
    }),
    writes: true,
    run: (service, { endpoint: id, input }) =>
      call(service, 'jobs', 'POST', `/${segment(id)}/runsync`, { query: { wait: 60_000 }, body: { input } }),
  }),
  tool({
    name: 'cancel_job',
    description: 'Cancels a job that waits or runs.',
    arguments: ofJob,
    writes: true,
    run: (service, given) => call(service, 'jobs', 'POST', `/${segment(given.endpoint)}/cancel/${segment(given.job)}`),
  }),
  tool({
    name: 'retry_job',
    description: 'Queues a job again that has failed or timed out.',
    arguments: ofJob,
    writes: true,
    run: (service, given) => call(service, 'jobs', 'POST', `/${segment(given.endpoint)}/retry/${segment(given.job)}`),
  }),
];
