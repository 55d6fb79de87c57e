import { adaptersOf, portsFrom } from '../../aws/ports.ts';
import { createDeliveryStarts } from '../../aws/webhooks/starts.ts';
import { resend } from '../../core/webhooks/resend.ts';
import { http } from '../http.ts';

const ports = portsFrom({ ...adaptersOf(), deliveryStarts: createDeliveryStarts });

/** POST /{endpoint}/webhooks/{job}/resend */
export const handler = http(({ endpoint, job, query: { completion } }) =>
  resend(ports, { endpoint, id: job, completion }),
);
