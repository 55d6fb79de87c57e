import { createEndpointsPorts } from '../../aws/management/ports.ts';
import { readEndpoint } from '../../core/management/read-endpoint.ts';
import { http } from '../http.ts';

const ports = createEndpointsPorts();

/** GET /endpoints/{endpoint} */
export const handler = http(({ owner, endpoint }) => readEndpoint(ports, { owner, endpoint }));
