/** Executions of a state machine. The client is loaded when the first execution starts: most processes start none. */
import { environment } from './environment.ts';
import type { Executions } from './execution-client.ts';

/** @param variable name of the environment variable with the ARN of the Express state machine */
export function createExecutions(variable: string): Executions {
  let loaded: Promise<Executions> | undefined;
  // A local module limits the bundle to the used parts of the client. A direct dynamic import would bundle the
  // whole client.
  const load = async () => (await import('./execution-client.ts')).createExecutionClient(environment(variable));
  return {
    async start(input) {
      loaded ??= load();
      await (await loaded).start(input);
    },
  };
}
