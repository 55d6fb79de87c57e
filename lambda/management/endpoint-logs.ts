import { createLogs } from '../../aws/logs/logs.ts';
import { adaptersOf, portsFrom } from '../../aws/ports.ts';
import { endpointLogs } from '../../core/logs/endpoint-logs.ts';
import { http } from '../http.ts';

const ports = portsFrom({ ...adaptersOf(), logs: createLogs });

/** GET /endpoints/{endpoint}/logs */
export const handler = http(({ endpoint, query: { since, worker, source, limit, cursor } }) =>
  endpointLogs(ports, { endpoint, since, worker, source, limit, cursor }),
);
