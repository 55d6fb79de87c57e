import { createLogs } from '../../aws/logs/logs.ts';
import { adaptersOf, portsFrom } from '../../aws/ports.ts';
import { logs } from '../../core/logs/logs.ts';
import { http } from '../http.ts';

const ports = portsFrom({ ...adaptersOf(), logs: createLogs });

/** GET /{endpoint}/logs/{job} */
export const handler = http(({ endpoint, job, query }) => {
  return logs(ports, { endpoint, id: job, limit: query.limit, cursor: query.cursor });
});
