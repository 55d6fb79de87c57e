/** Runs commands whose first argument is a verb. */
import { asCalled } from './as-called.ts';
import { printText } from './flags.ts';

/** Runs one verb with the arguments after it. */
type Verb = (args: string[]) => Promise<void>;

/**
 * Runs the verb that is the first argument. Without arguments or with `--help`, prints the help. For an unknown verb,
 * fails.
 */
export async function runVerb(
  verbs: ReadonlyMap<string, Verb>,
  help: string,
  [name, ...args]: string[],
): Promise<void> {
  if (name === undefined || name === '--help' || args.includes('--help')) return printText(help);
  const verb = verbs.get(name);
  if (!verb) {
    const allowed = [...verbs.keys()].join(', ');
    console.error(`The first argument must be one of ${allowed}, got ${JSON.stringify(name)}; --help shows the usage.`);
    process.exitCode = 1;
    return;
  }
  await verb(args).catch((error: unknown) => {
    console.error(error instanceof Error ? asCalled(error.message) : String(error));
    process.exitCode = 1;
  });
}
