/** The state machine of deliveries, started by hand. Its client is loaded when the first one is: mostly there are none. */
import type { SFNClient } from '@aws-sdk/client-sfn';
import type { DeliveryStarts } from '../core/webhooks/store.ts';
import { environment } from './environment.ts';

export function createDeliveryStarts(): DeliveryStarts {
  let client: SFNClient | undefined;
  return {
    async start({ endpoint, id, completion }) {
      const { SFNClient: Client, StartExecutionCommand } = await import('@aws-sdk/client-sfn');
      client ??= new Client();
      const input = JSON.stringify([{ again: { endpoint, id, completion } }]);
      await client.send(new StartExecutionCommand({ stateMachineArn: environment('DELIVERY_MACHINE'), input }));
    },
  };
}
