/** What a command does is said by its first word; all commands that have several are alike in the rest. */

/** Does what a word asks for, with the words after it. */
type Verb = (args: string[]) => Promise<void>;

/** Runs one of the verbs. It tells the help instead, and fails with it, if it is called by a word that is none. */
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
