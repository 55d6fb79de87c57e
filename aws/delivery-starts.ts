/** The state machine of deliveries, started by hand. Its client is loaded when the first one is: mostly there are none. */
import type { DeliveryStarts } from '../core/webhooks/store.ts';

export function createDeliveryStarts(): DeliveryStarts {
  let loaded: Promise<DeliveryStarts> | undefined;
  // A module that names what it needs, not the client itself: all of that would be in the bundle.
  const load = async () => (await import('./delivery-executions.ts')).createDeliveryExecutions();
  return {
    async start(key) {
      loaded ??= load();
      await (await loaded).start(key);
    },
  };
}
