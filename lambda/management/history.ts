/** The operations on the history, in one bundle, because each has little code of its own. */
import { createHistoryPorts } from '../../aws/management/ports.ts';
import { failures as groupFailures } from '../../core/history/failures.ts';
import { listEvents } from '../../core/history/list-events.ts';
import { listJobs as list } from '../../core/history/list-jobs.ts';
import { listEndedWorkers } from '../../core/history/list-workers.ts';
import { costs as sumCosts } from '../../core/usage/costs.ts';
import { scrape } from '../../core/usage/scrape.ts';
import { series as readSeries } from '../../core/usage/series.ts';
import { http } from '../http.ts';

const ports = createHistoryPorts();

/** GET /jobs */
export const listJobs = http(({ query, endpoints: permitted }) => list(ports, { ...query, permitted }));

/** GET /endpoints/{endpoint}/failures */
export const failures = http(({ endpoint, query: { since, until, cursor } }) =>
  groupFailures(ports, { endpoint, since, until, cursor }),
);

/** GET /endpoints/{endpoint}/workers/ended */
export const endedWorkers = http(({ endpoint, query: { since, until, limit, cursor } }) =>
  listEndedWorkers(ports, { endpoint, since, until, limit, cursor }),
);

/** GET /endpoints/{endpoint}/series */
export const series = http(({ endpoint, query: { since, until, step } }) =>
  readSeries(ports, { endpoint, since, until, step }),
);

/** GET /costs */
export const costs = http(({ query, endpoints: permitted }) => sumCosts(ports, { ...query, permitted }));

/** GET /metrics */
export const metrics = http(async ({ query: { endpoint }, endpoints: permitted, accept }, state) => {
  const { contentType, text } = await scrape(ports, { endpoint, permitted, accept });
  state.contentType = contentType;
  return text;
});

/** GET /endpoints/{endpoint}/events */
export const events = http(({ endpoint, query: { since, until, kind, limit, cursor } }) =>
  listEvents(ports, { endpoint, since, until, kind, limit, cursor }),
);
