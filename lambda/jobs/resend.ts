import { createDeliveryStarts } from '../../aws/delivery-starts.ts';
import { createWorld } from '../../aws/world.ts';
import { resend } from '../../core/webhooks/resend.ts';
import { http } from '../http.ts';

const world = Object.assign(createWorld(), { deliveryStarts: createDeliveryStarts() });

/** POST /{endpoint}/webhooks/{job}/resend */
export const handler = http(({ endpoint, job, query: { completion } }) =>
  resend(world, { endpoint, id: job, completion }),
);
