import { createPorts } from '../../aws/ports.ts';
import { listJobs } from '../../core/history/list-jobs.ts';
import { http } from '../http.ts';

const ports = createPorts();

/** GET /jobs */
export const handler = http(({ query, endpoints: permitted }) => listJobs(ports, { ...query, permitted }));
