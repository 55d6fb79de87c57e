import { createEndpointsPorts } from '../../aws/management/ports.ts';
import { endpoints } from '../../core/management/endpoints.ts';
import { http } from '../http.ts';

const ports = createEndpointsPorts();

/** GET /endpoints */
export const handler = http(({ owner, endpoints: permitted, query: { include } }) =>
  endpoints(ports, { owner, permitted, include }),
);
