/** Executions of state machines in AWS Step Functions. */
import { environment } from './environment.ts';
import { StartExecutionCommand, StateMachineClient } from './services/step-functions.ts';

export interface Executions {
  /**
   * Starts an execution and returns before its first step.
   * @param input any JSON value
   */
  start(input: unknown): Promise<void>;
}

/** @param variable name of the environment variable with the ARN of the Express state machine */
export function createExecutions(variable: string): Executions {
  let client: StateMachineClient | undefined;
  return {
    async start(input) {
      const stateMachineArn = environment(variable);
      // Most processes start no execution.
      client ??= new StateMachineClient();
      await client.send(new StartExecutionCommand({ stateMachineArn, input: JSON.stringify(input) }));
    },
  };
}
