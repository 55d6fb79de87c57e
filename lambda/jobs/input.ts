import { createPayloadPorts } from '../../aws/payload-ports.ts';
import { input } from '../../core/jobs/input.ts';
import { httpStream } from '../http.ts';

const ports = createPayloadPorts();

/** GET /{endpoint}/input/{job} */
export const handler = httpStream(({ endpoint, job }) => input(ports, { endpoint, id: job }));
