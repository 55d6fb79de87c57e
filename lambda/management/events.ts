import { createHistoryPorts } from '../../aws/management/ports.ts';
import { listEvents } from '../../core/history/list-events.ts';
import { http } from '../http.ts';

const ports = createHistoryPorts();

/** GET /endpoints/{endpoint}/events */
export const handler = http(({ endpoint, query: { since, until, kind, limit, cursor } }) =>
  listEvents(ports, { endpoint, since, until, kind, limit, cursor }),
);
