import type { DrainPorts } from '../jobs/drain.ts';
import { stream } from '../jobs/stream.ts';
import type { WaitSlotPorts } from '../jobs/wait-slots.ts';
import type { JobRequest } from './request.ts';

/**
 * How RunPod's clients name themselves: the JavaScript one always, the Python one in the sessions that its `http_client` makes for
 * `AsyncioEndpoint`. Python's blocking `Endpoint` has the name of the library `requests`, as any program may have it.
 */
const RUNPOD_CLIENT = /^RunPod-(?:JS|Python)-SDK\//;

/** GET and POST /{endpoint}/stream/{job} */
export const handleStream = (
  ports: DrainPorts & WaitSlotPorts,
  { endpoint, job, query, userAgent = '', gone }: JobRequest,
): ReturnType<typeof stream> => {
  const { from, wait } = query;
  return stream(ports, { endpoint, id: job, from, wait, inEnvelope: RUNPOD_CLIENT.test(userAgent), gone });
};
