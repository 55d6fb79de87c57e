/** Schemas of the series and costs of endpoints by name. */
import { stageNames } from '../fleet/stages.ts';
import { spanLengths } from '../usage/sums.ts';
import { workerStates } from '../workers/lease.ts';
import { count, exactObject, reference, type Schema, text } from './schema.ts';

const time = (description: string) => text(description, { format: 'date-time' });
const number = (description: string): Schema => ({ type: 'number', minimum: 0, description });

const kinds = (what: string) =>
  exactObject({
    busy: number(`${what} while workers ran jobs.`),
    idle: number(`${what} while workers were ready and ran none.`),
    starting: number(`${what} from the place of workers on a machine to their first ask for jobs.`),
  });

const numbersOf = (names: readonly string[] | undefined, description: string): Schema => ({
  type: 'object',
  ...(names && { propertyNames: { enum: names } }),
  additionalProperties: { type: 'number', minimum: 0 },
  description,
});

const percentiles = (what: string): Schema => ({
  ...exactObject({ p50: count('50th percentile.'), p95: count('95th percentile.'), p99: count('99th percentile.') }),
  description: `${what} in milliseconds, each within 10 %; absent without such jobs.`,
});

const seriesSums = {
  ended: numbersOf(undefined, 'Numbers of jobs that ended, by code; `COMPLETED` is one of them.'),
  requeued: count('Number of attempts after which a job was queued again.'),
  delayTime: percentiles('Waits of the jobs that ended'),
  executionTime: percentiles('Run times of the jobs that ended'),
  waiting: number('Mean number of waiting jobs; absent without a sample, as are the next four.'),
  maxWaiting: count('Greatest number of waiting jobs.'),
  oldestWaiting: count('Longest wait of the oldest waiting job in milliseconds.'),
  running: number('Mean number of running jobs.'),
  workers: numbersOf(workerStates, 'Mean number of workers by state.'),
  ready: count('Number of workers that became ready.'),
  stages: numbersOf(stageNames, 'Mean duration of each stage of their starts, in milliseconds.'),
  workerTime: kinds('Time of workers in milliseconds'),
  dollars: kinds('Cost in US dollars'),
};
const optional = ['delayTime', 'executionTime', 'waiting', 'maxWaiting', 'oldestWaiting', 'running', 'workers'];

const ends = {
  ended: count('Number of jobs that ended.'),
  failed: count('Number of them that failed or timed out.'),
};

const cost = {
  jobs: count('Number of jobs that ended.'),
  workerTime: kinds('Time of workers in milliseconds'),
  dollars: exactObject({
    busy: number('US dollars for workers while they ran jobs.'),
    idle: number('US dollars for workers that were ready and ran none.'),
    starting: number('US dollars for workers that were starting.'),
    total: number('The sum.'),
  }),
  unpricedTime: count('Time of workers without a price in milliseconds, such as on Spot.'),
};

export const usageSchemas: Readonly<Record<string, Schema>> = {
  EndpointSeries: exactObject({
    step: text('Length of a span of time.', { enum: Object.keys(spanLengths) }),
    points: {
      type: 'array',
      items: reference('SeriesPoint'),
      description: 'Spans in which something happened, oldest first.',
    },
    total: reference('SeriesTotal'),
    summedTo: time('Time up to which the spans contain the ends of jobs and the time of workers.'),
  }),
  SeriesPoint: exactObject({ from: time('Begin of the span.'), ...seriesSums }, [...optional, 'dollars']),
  SeriesTotal: exactObject(seriesSums, [...optional, 'dollars']),
  Recent: {
    ...exactObject({
      lastHour: exactObject(
        {
          ...ends,
          p95DelayTime: count('95th percentile of their waits in milliseconds, within 10 %; absent without such jobs.'),
          failedWebhooks: count('Webhooks that failed and were not sent again, at most 100.'),
        },
        ['p95DelayTime'],
      ),
      hours: {
        type: 'array',
        items: exactObject({ from: time('Begin of the hour.'), ...ends }),
        description: 'Hours of the last day in which jobs ended, oldest first.',
      },
      today: exactObject({
        dollars: number('US dollars for workers since 00:00 UTC.'),
        unpricedTime: count('Time of workers without a price in milliseconds, such as on Spot.'),
      }),
      summedTo: time('Time up to which jobs and costs are summed.'),
    }),
    description: 'What happened on the endpoint lately; only with `include=recent`, and if the history is kept.',
  },
  Costs: exactObject({
    costs: { type: 'array', items: reference('Cost'), description: 'A cost for each group, the highest first.' },
    total: reference('Cost'),
    summedTo: time('Time up to which the costs of all endpoints are summed.'),
  }),
  Cost: exactObject(
    {
      endpoint: text('Id of the endpoint; absent unless grouped by it.'),
      day: text('Day in UTC; absent unless grouped by it.', { format: 'date' }),
      key: text(
        'Id of the API key, or `user ` and the name of a user; absent unless grouped by it, and for time without jobs.',
      ),
      ...cost,
    },
    ['endpoint', 'day', 'key'],
  ),
};
