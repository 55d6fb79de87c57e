/** Runs commands whose first argument is a verb. */

/** Runs one verb with the arguments after it. */
type Verb = (args: string[]) => Promise<void>;

/** Runs the verb that is the first argument. For an unknown verb, prints the help and fails. */
export async function runVerb(
  verbs: ReadonlyMap<string, Verb>,
  help: string,
  [name, ...args]: string[],
): Promise<void> {
  const verb = verbs.get(name ?? '');
  const wantsHelp = name === undefined || name === '--help' || args.includes('--help');
  if (!verb || wantsHelp) {
    console.log(help);
    process.exitCode = wantsHelp ? 0 : 1;
    return;
  }
  await verb(args).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  });
}
