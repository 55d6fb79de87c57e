/**
 * Starts executions over AWS Step Functions. `executions.ts` loads this module with the first one. It imports nothing of
 * ours: esbuild bundles all of a module that is loaded this way, and all that the module imports.
 */
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';

export interface Executions {
  /**
   * Starts an execution and returns before its first step.
   * @param input any JSON value
   */
  start(input: unknown): Promise<void>;
}

/** Milliseconds. Without the last one the SDK writes a warning and waits on. */
const TIMEOUTS = { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true };

export function createExecutionClient(stateMachineArn: string): Executions {
  const client = new SFNClient({ requestHandler: TIMEOUTS });
  return {
    async start(input) {
      await client.send(new StartExecutionCommand({ stateMachineArn, input: JSON.stringify(input) }));
    },
  };
}
