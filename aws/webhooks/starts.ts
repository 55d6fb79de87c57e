/** Starts executions of the delivery state machine, to repeat deliveries. */
import type { DeliveryStarts } from '../../core/webhooks/store.ts';
import { createExecutions } from '../executions.ts';

export function createDeliveryStarts(): DeliveryStarts {
  const executions = createExecutions('DELIVERY_MACHINE');
  return {
    // The machine reads the first element of its input. `again` is the delivery to repeat.
    start: ({ endpoint, id, completion }) => executions.start([{ again: { endpoint, id, completion } }]),
  };
}
