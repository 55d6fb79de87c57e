/** Ctrl-C of a command that waits: says what goes on without the command. */
import { INTERRUPTED } from '../terminal.ts';

/**
 * Runs the work until it ends or the user presses Ctrl-C. Then prints the sentence and sets the exit code.
 * @param goesOn returns what the service goes on with
 */
export async function untilInterrupted(
  goesOn: () => string,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const controller = new AbortController();
  const interrupt = () => controller.abort();
  process.once('SIGINT', interrupt);
  try {
    await work(controller.signal);
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    console.error(`\n${goesOn()}`);
    process.exitCode = INTERRUPTED;
  } finally {
    process.off('SIGINT', interrupt);
  }
}
