/**
 * `npm start`: the frame around `start.ts`. Says what happens, waits for Ctrl-C, and leaves nothing behind.
 *
 *     npm start -- --help
 */
import { gpuEndpoints } from './gpu-endpoints.ts';
import { LocalError } from './local-error.ts';
import { HELP, readOptions } from './options.ts';
import { createProgress } from './progress.ts';
import { readyMessage } from './serve/ready.ts';
import { createShutdown } from './shutdown.ts';
import { endMarkedProcesses } from './state/processes.ts';

/** Milliseconds until what does not stop is ended. */
const STOP_LIMIT = 4_500;

/** One sentence for what the user can mend; everything there is for what only we can. */
const told = (error: unknown) => (error instanceof LocalError ? error.message : error);

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options.help) {
    console.log(HELP);
    return;
  }
  const progress = createProgress();
  const shutdown = createShutdown((error) => console.error(error));
  let ending = false;

  async function end(code: number): Promise<void> {
    if (ending) return;
    ending = true;
    setTimeout(() => abandon(), STOP_LIMIT);
    await shutdown.run();
    process.exit(code);
  }

  /** Ends everything the hard way. */
  async function abandon(): Promise<void> {
    await endMarkedProcesses(options.stateDir, process.pid);
    process.exit(1);
  }

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (ending) void abandon();
      else progress.step('Stopping ...');
      void end(0);
    });

  try {
    // It takes half a second to load, which the help and a wrong flag need not wait for.
    const { start } = await import('./start.ts');
    const ready = await start(gpuEndpoints, options, progress, shutdown);
    progress.step('Ready.');
    console.log(readyMessage(gpuEndpoints, ready));
    throw await ready.died;
  } catch (error) {
    if (!ending) console.error(told(error));
    await end(1);
  }
}

main().catch((error: unknown) => {
  console.error(told(error));
  process.exitCode = 1;
});
