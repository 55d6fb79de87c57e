/**
 * `npm start`: runs `start.ts`, prints its progress, waits for Ctrl-C, and stops every process that it started.
 *
 *     npm start -- --help
 */
import { LocalError } from './local-error.ts';
import { helpText, readOptions } from './options.ts';
import type { Product } from './product.ts';
import { createProgress } from './progress.ts';
import { readyMessage } from './serve/ready.ts';
import { createShutdown } from './shutdown.ts';
import { npmProcess, onEndOf } from './state/npm.ts';
import { endMarkedProcesses } from './state/processes.ts';

/** Milliseconds after which a process that does not stop is killed. */
const STOP_LIMIT = 4_500;

/** Returns a sentence for an error that the user can correct, and the whole error for any other. */
const printable = (error: unknown) => (error instanceof LocalError ? error.message : error);

async function runUntilEnd(product: Product, programCache: string): Promise<void> {
  const options = readOptions(process.argv.slice(2), process.env, product.command);
  if (options.help) {
    console.log(helpText(product.settings, product.command));
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

  /** Kills every process of this run. */
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

  const npm = npmProcess(process.env);
  if (npm) onEndOf(npm, () => void end(0));

  try {
    // The help and errors about flags do not need this module.
    const { start } = await import('./start.ts');
    const ready = await start(product, { ...options, programCache, parent: npm }, progress, shutdown);
    progress.step('Ready.');
    console.log(readyMessage(product, ready));
    throw await ready.died;
  } catch (error) {
    if (!ending) console.error(printable(error));
    await end(1);
  }
}

/**
 * Runs the stacks of a product until Ctrl-C.
 * @param programCache absolute path of the compile cache of the programs that the service starts
 */
export async function runCommand(product: Product, programCache: string): Promise<void> {
  await runUntilEnd(product, programCache).catch((error: unknown) => {
    console.error(printable(error));
    process.exitCode = 1;
  });
}
