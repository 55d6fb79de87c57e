/** Executions of a state machine. The client is loaded with the first one: most processes start none. */
import { environment } from './environment.ts';
import type { Executions } from './execution-client.ts';

/** @param variable names the environment variable with the ARN of the Express state machine */
export function createExecutions(variable: string): Executions {
  let loaded: Promise<Executions> | undefined;
  // A module that names what it needs, not the client itself: all of that would be in the bundle.
  const load = async () => (await import('./execution-client.ts')).createExecutionClient(environment(variable));
  return {
    async start(input) {
      loaded ??= load();
      await (await loaded).start(input);
    },
  };
}
