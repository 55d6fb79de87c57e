import { createPayloadPorts } from '../../aws/payload-ports.ts';
import { retry } from '../../core/submission/retry.ts';
import { http } from '../http.ts';

const ports = createPayloadPorts();

/** POST /{endpoint}/retry/{job} */
export const handler = http(({ endpoint, job }) => retry(ports, { endpoint, id: job }));
