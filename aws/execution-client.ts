/** Starts executions over AWS Step Functions. `executions.ts` loads this module with the first one. */
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { serviceTimeouts } from './clients.ts';
import type { Executions } from './executions.ts';

export function createExecutionClient(stateMachineArn: string): Executions {
  const client = new SFNClient({ requestHandler: serviceTimeouts });
  return {
    async start(input) {
      await client.send(new StartExecutionCommand({ stateMachineArn, input: JSON.stringify(input) }));
    },
  };
}
