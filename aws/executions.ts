/** Executions of state machines in AWS Step Functions. */

import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { environment } from './environment.ts';
import { requestHandler } from './request-handler.ts';

export interface Executions {
  /**
   * Starts an execution and returns before its first step.
   * @param input any JSON value
   */
  start(input: unknown): Promise<void>;
}

/**
 * Starts executions of a state machine.
 * @param variable name of the environment variable with the ARN of the Express state machine
 */
export function createExecutions(variable: string): Executions {
  let client: SFNClient | undefined;
  return {
    async start(input) {
      const stateMachineArn = environment(variable);
      // Most processes start no execution.
      client ??= new SFNClient({ requestHandler: requestHandler('services') });
      await client.send(new StartExecutionCommand({ stateMachineArn, input: JSON.stringify(input) }));
    },
  };
}
