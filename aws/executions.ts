/** Executions of state machines in AWS Step Functions. */
import { environment } from './environment.ts';
import { jsonCommandOf } from './services/json-operation.ts';
import { type Service, ServiceClient } from './services/service-client.ts';

export interface Executions {
  /**
   * Starts an execution and returns before its first step.
   * @param input any JSON value
   */
  start(input: unknown): Promise<void>;
}

const stepFunctions: Service = {
  serviceId: 'SFN',
  signingName: 'states',
  timeouts: 'services',
  hostOf: ({ region, suffix, dualStackSuffix, isFips, isDualStack }) =>
    `states${isFips ? '-fips' : ''}.${region}.${isDualStack ? dualStackSuffix : suffix}`,
};

class StartExecutionCommand extends jsonCommandOf<{ readonly stateMachineArn: string; readonly input: string }, object>(
  { target: 'AWSStepFunctions', contentType: 'application/x-amz-json-1.0' },
  { name: 'StartExecution' },
) {}

/** @param variable name of the environment variable with the ARN of the Express state machine */
export function createExecutions(variable: string): Executions {
  let client: ServiceClient | undefined;
  return {
    async start(input) {
      const stateMachineArn = environment(variable);
      // Most processes start no execution.
      client ??= new ServiceClient(stepFunctions);
      await client.send(new StartExecutionCommand({ stateMachineArn, input: JSON.stringify(input) }));
    },
  };
}
