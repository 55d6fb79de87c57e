/** The state machine of deliveries over AWS Step Functions, once it is needed: `delivery-starts.ts` loads this. */
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import type { DeliveryStarts } from '../core/webhooks/store.ts';
import { environment } from './environment.ts';

export function createDeliveryExecutions(): DeliveryStarts {
  const client = new SFNClient();
  const stateMachineArn = environment('DELIVERY_MACHINE');
  return {
    async start({ endpoint, id, completion }) {
      const input = JSON.stringify([{ again: { endpoint, id, completion } }]);
      await client.send(new StartExecutionCommand({ stateMachineArn, input }));
    },
  };
}
