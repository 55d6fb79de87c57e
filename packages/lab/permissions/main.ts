/**
 * `npm run permissions -w packages/lab`: lists the permissions that the roles use, and proves that each used permission
 * is needed.
 */
import { readArguments, runCommand } from '../../../bin/flags.ts';

const HELP = `Usage: npm run permissions -w packages/lab -- [options]

Runs the stacks on this machine until every function and worker has used its permissions, and prints the permissions
that were never used. Exits with 1 if they differ from docs/reference/permissions.md. Takes two minutes.

  --usage FILE       read a file that npm start wrote (LOCAL_PERMISSIONS_FILE) instead of running the stacks
  --page             write docs/reference/permissions.md
  --prove [WORD ..]  remove each statement in a separate run, and expect the run to fail with its refusal;
                     with words, only statements whose role or action contains one of them
  --actions          with --prove: remove single actions instead of statements
  --help             print this help

Examples:
  npm run permissions -w packages/lab
  npm run permissions -w packages/lab -- --prove Sweep
`;

const options = {
  usage: { type: 'string' },
  page: { type: 'boolean', default: false },
  prove: { type: 'boolean', default: false },
  actions: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

runCommand(async () => {
  const { values, positionals } = readArguments('permissions -w packages/lab', options, process.argv.slice(2));
  if (values.help) return void console.log(HELP);
  const { run } = await import('./run.ts');
  await run(values, positionals);
});
