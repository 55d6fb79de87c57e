import { createPayloadPorts } from '../../aws/payload-ports.ts';
import { status } from '../../core/status/status.ts';
import { httpStream } from '../http.ts';

const ports = createPayloadPorts();

/** GET and POST /{endpoint}/status/{job} */
export const handler = httpStream(({ endpoint, job, query }) => {
  return status(ports, { endpoint, id: job, ttl: query.ttl, timeline: query.timeline });
});
