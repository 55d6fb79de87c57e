/** Starts executions of the delivery state machine, to repeat deliveries. */
import type { DeliveryStarts } from '../../core/webhooks/store.ts';
import { createExecutions } from '../executions.ts';

export function createDeliveryStarts(): DeliveryStarts {
  const executions = createExecutions('DELIVERY_MACHINE');
  return {
    start: ({ endpoint, id, completion }) => executions.start([{ again: { endpoint, id, completion } }]),
  };
}
