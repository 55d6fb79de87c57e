/**
 * Starts executions of AWS Step Functions. `executions.ts` loads this module when the first execution starts. The
 * module imports no code of this project: esbuild bundles a dynamically imported module completely, with everything
 * that it imports.
 */
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';

export interface Executions {
  /**
   * Starts an execution and returns before its first step.
   * @param input any JSON value
   */
  start(input: unknown): Promise<void>;
}

/** Timeouts in milliseconds. Without `throwOnRequestTimeout`, the SDK only writes a warning and continues to wait. */
const TIMEOUTS = { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true };

export function createExecutionClient(stateMachineArn: string): Executions {
  const client = new SFNClient({ requestHandler: TIMEOUTS });
  return {
    async start(input) {
      await client.send(new StartExecutionCommand({ stateMachineArn, input: JSON.stringify(input) }));
    },
  };
}
