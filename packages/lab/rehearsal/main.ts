/**
 * `npm run rehearse -w packages/lab`: rehearses the life of a deployment on an AWS emulator with its own CloudFormation
 * engine.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { copyRepository } from '../../../test/support/repository.ts';
import { Commands } from './commands.ts';
import { installEmulator, NoEmulator, startEmulator } from './emulator.ts';
import { rehearse } from './scenario.ts';
import { printedTable, withTable } from './table.ts';

/** The page with the table of omitted resources. */
const PAGE = 'docs/reference/rehearsal.md';
/** Number of lines of the emulator's log that are printed after a failed step. */
const LINES = 20;

const HELP = `Usage: npm run rehearse -w packages/lab -- [options]

Deploys the stacks of this repository into an AWS emulator on this machine, submits a job, changes an endpoint, removes
an endpoint and then the deployment with npx gpu-endpoints remove, which it interrupts and runs again, and compares the remaining
resources with those that the command has named. Prints which resources it omits and what it does not prove. It works on
a copy of this repository, needs no AWS account, and takes about two minutes.

  --keep    at the end, keep the emulator and the files until Ctrl+C, and print their addresses
  --write   only write the table of omitted resources into ${PAGE}
  --help    print this help

It needs Python 3 with venv and, the first time, a package index. Without them it prints a message and exits with 0, or
with 1 if REQUIRE_PYTHON is 1.
`;

const repository = dirname(dirname(dirname(import.meta.dirname)));
const begin = Date.now();
const say = (line: string) => console.log(`[${`${Math.round((Date.now() - begin) / 1000)}`.padStart(4)} s] ${line}`);

/** Aborted when the user stops the command with a signal. */
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => interruption.abort(new Error(`Stopped by ${signal}.`)));
const interrupted = new Promise<never>((_, reject) => {
  interruption.signal.addEventListener('abort', () => reject(interruption.signal.reason));
});
interrupted.catch(() => undefined);

function writeTable(): void {
  const page = join(repository, PAGE);
  writeFileSync(page, withTable(readFileSync(page, 'utf8')));
}

async function perform(folder: string, program: string, keeps: boolean): Promise<void> {
  const files = join(folder, 'emulator');
  mkdirSync(files);
  const emulator = await startEmulator(program, files);
  say(`The emulator runs at ${emulator.url}.`);
  try {
    const copy = join(folder, 'repository');
    copyRepository(repository, copy);
    const commands = new Commands(copy, folder, emulator, interruption.signal);
    const counts = await Promise.race([rehearse({ commands, emulator, repository: copy, say }), interrupted]);
    console.log(`\n${printedTable(counts)}\n`);
    say('The rehearsal succeeded. The table shows what it does not prove.');
  } catch (error) {
    process.exitCode = 1;
    console.error(error instanceof Error ? error.message : error);
    console.error(
      `The emulator's last lines:\n${readFileSync(emulator.log, 'utf8').trim().split('\n').slice(-LINES).join('\n')}`,
    );
    say('The rehearsal failed.');
  } finally {
    if (keeps) {
      say(`Kept until Ctrl+C: AWS_ENDPOINT_URL=${emulator.url}, files in ${folder}, log ${emulator.log}`);
      await interrupted.catch(() => undefined);
    }
    await emulator.stop();
  }
}

async function main(): Promise<void> {
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({ options: { keep: flag, write: flag, help: flag } });
  if (values.help) return void console.log(HELP);
  if (values.write) return writeTable();
  const program = await installEmulator(join(repository, 'node_modules', '.cache'), repository);
  const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-rehearsal-'));
  try {
    await perform(folder, program, values.keep);
  } finally {
    // Processes that are stopping might still write files.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

await main().catch((error: unknown) => {
  const isOptional = error instanceof NoEmulator && process.env.REQUIRE_PYTHON !== '1';
  process.exitCode = isOptional ? 0 : 1;
  const reason = error instanceof Error ? error.message : error;
  console.error(error instanceof NoEmulator ? `The rehearsal is skipped: ${reason}.` : reason);
});
