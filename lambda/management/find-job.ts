import { createPorts } from '../../aws/ports.ts';
import { findJob } from '../../core/management/find-job.ts';
import { http } from '../http.ts';

const ports = createPorts();

/** GET /jobs/{job} */
export const handler = http(({ job, endpoints: permitted }) => findJob(ports, { job, permitted }));
