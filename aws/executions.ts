/** Executions of state machines in AWS Step Functions. */
import type { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { environment } from './environment.ts';
import { commandOf, type Service, ServiceClient } from './service-client.ts';

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

interface Failure {
  readonly __type?: string;
  readonly message?: string;
}

class StartExecutionCommand extends commandOf<{ readonly stateMachineArn: string; readonly input: string }, object>({
  name: 'StartExecution',
  request: (input) => ({
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AWSStepFunctions.StartExecution' },
    body: JSON.stringify(input),
  }),
  output: async ({ body }) => (await json(body as Readable)) as object,
  async error({ body }) {
    const { __type: type, message } = (await json(body as Readable).catch(() => ({}))) as Failure;
    // The name can follow the namespace of the service: `com.amazonaws.swf#ExecutionLimitExceeded`.
    return { name: type?.split('#').at(-1), message };
  },
}) {}

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
