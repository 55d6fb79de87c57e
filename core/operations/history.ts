/** Operations on the history: jobs that have ended, also without retained results, and workers that have stopped. */

import { MAX_REVISION } from '../endpoints/release.ts';
import { endStatuses } from '../history/ended-job.ts';
import { eventKinds } from '../history/event.ts';
import { historyLimits } from '../history/limits.ts';
import { JOB_ID } from '../jobs/id.ts';
import { KEY_ID } from '../keys/client-keys.ts';
import { reference, type Schema } from '../openapi/schema.ts';
import { costDays, costGroups, MAX_POINTS } from '../usage/limits.ts';
import { spanLengths } from '../usage/sums.ts';
import type { OperationDefinitions, Parameter } from './operation.ts';
import { endpointCodes, page } from './parameters.ts';

const query = (name: string, description: string, schema: Schema = { type: 'string' }): Parameter => ({
  name,
  in: 'query',
  description,
  schema,
});

const time = { type: 'string', format: 'date-time' } as const;

const times: readonly Parameter[] = [
  query('since', 'Time of the first end, in UTC. Default: 24 hours before `until`.', time),
  query('until', 'Time of the last end, in UTC. Default: now.', time),
];

const metricsText = { type: 'string', description: 'Metrics as text, for Prometheus.' } as const;

/** The source file of all functions of the history. */
const HANDLERS = 'lambda/management/history.ts';

export const history = {
  'list-jobs': {
    methods: ['GET'],
    path: '/jobs',
    limit: { per10Seconds: 20 },
    role: 'viewer',
    keyText: 'List the jobs that have ended',
    lambda: { id: 'ListJobs', handler: HANDLERS, export: 'listJobs', does: 'lists jobs that have ended.' },
    tag: 'Jobs',
    summary: 'Lists the jobs that have ended, newest first, also those whose results are no longer retained',
    parameters: [
      query('endpoint', 'Id of the endpoint. Default: all endpoints that the caller may call.'),
      query('status', `One or more of ${endStatuses.join(', ')}, separated by commas. Default: all.`),
      query('code', 'Code of the job, such as `WORKER_ERROR`.'),
      query('error', 'Fingerprint of the error.', { type: 'string', pattern: '^[0-9a-f]{12}$' }),
      query('text', 'Part of the first line of the error, in any case.', {
        type: 'string',
        minLength: 1,
        maxLength: historyLimits.error,
      }),
      query('key', 'Id of the API key that submitted the job.', { type: 'string', pattern: KEY_ID.source }),
      query('worker', 'Id of the worker of the last attempt.'),
      query('release', 'Revision that the worker of the last attempt ran.', {
        type: 'integer',
        minimum: 1,
        maximum: MAX_REVISION,
      }),
      query('job', 'Id of the job. The list begins with its submission, and its oldest end.', {
        type: 'string',
        pattern: JOB_ID.source,
      }),
      ...times,
      ...page('jobs', historyLimits.page),
    ],
    answer: reference('EndedJobList'),
    codes: endpointCodes,
  },
  failures: {
    methods: ['GET'],
    path: '/endpoints/{endpoint}/failures',
    limit: { per10Seconds: 20 },
    role: 'viewer',
    keyText: 'Group the failed jobs of an endpoint by their errors',
    lambda: {
      id: 'Failures',
      handler: HANDLERS,
      export: 'failures',
      does: 'groups the failed jobs of an endpoint by their errors.',
    },
    tag: 'Jobs',
    summary: 'Groups the failed jobs of an endpoint by their errors, the most frequent first',
    parameters: [...times, ...page('jobs', historyLimits.page).filter(({ name }) => name === 'cursor')],
    answer: reference('FailureList'),
    codes: endpointCodes,
  },
  'ended-workers': {
    methods: ['GET'],
    path: '/endpoints/{endpoint}/workers/ended',
    limit: { per10Seconds: 20 },
    role: 'viewer',
    keyText: 'List the workers of an endpoint that have stopped',
    lambda: {
      id: 'EndedWorkers',
      handler: HANDLERS,
      export: 'endedWorkers',
      does: 'lists the workers of an endpoint that have stopped.',
    },
    tag: 'Endpoints',
    summary: 'Lists the workers of an endpoint that have stopped, newest first, and why',
    parameters: [...times, ...page('workers', historyLimits.page)],
    answer: reference('EndedWorkerList'),
    codes: endpointCodes,
  },
  series: {
    methods: ['GET'],
    path: '/endpoints/{endpoint}/series',
    limit: { per10Seconds: 40 },
    role: 'viewer',
    keyText: 'Read the series of an endpoint',
    lambda: {
      id: 'Series',
      handler: HANDLERS,
      export: 'series',
      does: 'returns what happened on an endpoint over time.',
    },
    tag: 'Endpoints',
    summary: 'Returns jobs, queue, workers and cost of an endpoint over time, with percentiles',
    parameters: [
      ...times,
      query('step', `Length of a span of time. Default: the shortest of which there are at most ${MAX_POINTS}.`, {
        type: 'string',
        enum: Object.keys(spanLengths),
      }),
    ],
    answer: reference('EndpointSeries'),
    codes: endpointCodes,
  },
  costs: {
    methods: ['GET'],
    path: '/costs',
    limit: { per10Seconds: 20 },
    role: 'viewer',
    keyText: 'Read what the workers cost',
    lambda: { id: 'Costs', handler: HANDLERS, export: 'costs', does: 'returns what the workers of endpoints cost.' },
    tag: 'Endpoints',
    summary: 'Returns what the workers of endpoints cost, by endpoint, day and API key, the highest cost first',
    parameters: [
      query('endpoint', 'Id of the endpoint. Default: all endpoints that the caller may call.'),
      query('by', `One or more of ${costGroups.join(', ')}, separated by commas. Default: endpoint.`),
      query('since', `Begin in UTC, a whole hour. Default: ${costDays.default} days, with today.`, time),
      query('until', 'End in UTC, a whole hour. Default: now.', time),
    ],
    answer: reference('Costs'),
    codes: endpointCodes,
  },
  metrics: {
    methods: ['GET'],
    path: '/metrics',
    // Two Prometheus servers that scrape every 15 seconds make 2 calls in 10 seconds.
    limit: { per10Seconds: 10 },
    role: 'viewer',
    keyText: 'Read the metrics of endpoints for Prometheus',
    lambda: {
      id: 'Metrics',
      handler: HANDLERS,
      export: 'metrics',
      does: 'returns the metrics of endpoints as text for Prometheus.',
    },
    tag: 'Endpoints',
    summary: 'Returns the metrics of endpoints as text in OpenMetrics, or in the format of Prometheus by `Accept`',
    parameters: [query('endpoint', 'Id of the endpoint. Default: all endpoints that the caller may call.')],
    answerTypes: { 'application/openmetrics-text': metricsText, 'text/plain': metricsText },
    codes: endpointCodes,
  },
  events: {
    methods: ['GET'],
    path: '/endpoints/{endpoint}/events',
    limit: { per10Seconds: 20 },
    role: 'viewer',
    keyText: 'List what changed on an endpoint',
    lambda: {
      id: 'Events',
      handler: HANDLERS,
      export: 'events',
      does: 'lists what changed on an endpoint.',
    },
    tag: 'Endpoints',
    summary: 'Lists what changed on an endpoint, newest first, and who changed it',
    parameters: [
      query('kind', `One or more of ${eventKinds.join(', ')}, separated by commas. Default: all.`),
      query('since', 'Time of the first event, in UTC. Default: 24 hours before `until`.', time),
      query('until', 'Time of the last event, in UTC. Default: now.', time),
      ...page('events', historyLimits.page),
    ],
    answer: reference('EventList'),
    codes: endpointCodes,
  },
} satisfies OperationDefinitions;
