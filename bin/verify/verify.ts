/** Runs the tests of the contract's rows in a process of their own, and prints which rows do not hold. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { builtFile, isBuilt } from '../../lib/settings/package-files.ts';
import { createProgress, type Progress as Shown } from '../client/progress.ts';
import { INTERRUPTED } from '../terminal.ts';
import { type Row as PageRow, readPage, rowsOf } from './page.ts';
import { CannotVerify, checkTarget } from './preflight.ts';
import { type Ended, type Progress, rowsWith } from './results.ts';
import { TARGET, type Target } from './target.ts';
import { lineOf, summaryOf } from './text.ts';

export interface VerifyOptions {
  /**
   * Ids of the rows to check, where `*` stands for any characters.
   * @default - all rows
   */
  readonly only?: readonly string[] | undefined;
  /** Whether to print the results as JSON. */
  readonly json?: boolean | undefined;
}

/** Milliseconds of a test. On EC2 instances the first worker starts slowly. */
const MAX_TEST = 180_000;

const program = (name: string) =>
  isBuilt ? builtFile('verify', `${name}.mjs`) : join(import.meta.dirname, `${name}.ts`);

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Returns whether the id has the form of the pattern, in which `*` stands for any characters. */
function matches(pattern: string, id: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return id === first;
  if (!id.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = id.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return id.length - last.length >= at && id.endsWith(last);
}

/**
 * Prints the rows whose ids match.
 * @throws CannotVerify if a pattern matches no row
 */
export function listRows(only: readonly string[] | undefined): void {
  for (const { id, text } of chosenRows(only)) console.log(`${id}  ${text}`);
}

/** @throws CannotVerify if a pattern matches no row */
function chosenRows(only: readonly string[] | undefined): readonly PageRow[] {
  const rows = rowsOf(readPage());
  if (only === undefined) return rows;
  for (const text of only)
    if (!rows.some(({ id }) => matches(text, id)))
      throw new CannotVerify(
        `--only ${text} matches no row; ids are such as job.id or limits.*, and --list prints them.`,
      );
  return rows.filter(({ id }) => only.some((text) => matches(text, id)));
}

interface Tests extends ChildProcess {
  readonly stdout: Readable;
}

function start(target: Target, rows: readonly PageRow[]): Tests {
  const names = `\\[(?:${rows.map(({ id }) => escaped(id)).join('|')})\\]`;
  const flags = ['--disable-warning=ExperimentalWarning', `--test-timeout=${MAX_TEST}`];
  const args = [...flags, `--test-reporter=${program('reporter')}`, `--test-name-pattern=${names}`, program('rows')];
  return spawn(process.execPath, args, {
    env: { ...process.env, [TARGET]: JSON.stringify(target) },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  }) as Tests;
}

/** Shows the current test. Without a terminal, prints a line for every 50 tests. */
const show = (progress: Shown, count: number, title: string) =>
  progress.show(`${count} tests have run. Now: ${title}`, String(Math.floor(count / 50)));

/** @throws CannotVerify if the process ends before its last test */
async function runTests(child: Tests): Promise<readonly Ended[]> {
  const results: Ended[] = [];
  let isFinished = false;
  const shown = createProgress();
  for await (const line of createInterface({ input: child.stdout })) {
    const progress = JSON.parse(line) as Progress;
    if (progress.event === 'started') show(shown, results.length, progress.title);
    else if (progress.event === 'ended') results.push(progress);
    else if (progress.event === 'broken') console.error(`${progress.title}: ${progress.error}`);
    else isFinished = true;
  }
  shown.end();
  if (!isFinished) throw new CannotVerify('The tests ended before the last one.');
  return results;
}

/** Ends the tests when the user presses Ctrl-C. A second time ends this process at once. */
function stopAtInterrupt(child: Tests): { readonly isStopped: () => boolean; end(): void } {
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    console.error('\nStopping: cancels the jobs and deletes the templates that the tests have made.');
    if (child.connected) child.disconnect();
  };
  process.once('SIGINT', stop);
  return { isStopped: () => isStopped, end: () => void process.off('SIGINT', stop) };
}

async function check(target: Target, { only, json }: VerifyOptions): Promise<number> {
  const page = chosenRows(only);
  await checkTarget(target);
  const startedAt = new Date().toISOString();
  const child = start(target, page);
  const exited = once(child, 'exit');
  const interrupt = stopAtInterrupt(child);
  try {
    const ended = await runTests(child);
    const rows = rowsWith(page, ended);
    const failing = rows.filter(({ status }) => status === 'fails');
    if (json) console.log(JSON.stringify({ url: target.serverlessUrl, startedAt, rows }, undefined, 2));
    else console.log([...failing.map(lineOf), summaryOf(rows)].join('\n'));
    return failing.length > 0 ? 1 : 0;
  } catch (error) {
    if (!interrupt.isStopped()) throw error;
    return INTERRUPTED;
  } finally {
    await exited;
    interrupt.end();
  }
}

/**
 * Checks the rows of the contract against a deployment, and prints those that do not hold.
 * @returns the exit code: 0 if all checked rows hold, 1 if one does not, 2 if the rows cannot be checked, 130 after Ctrl-C
 */
export async function verify(target: Target, options: VerifyOptions = {}): Promise<number> {
  try {
    return await check(target, options);
  } catch (error) {
    if (!(error instanceof CannotVerify)) throw error;
    console.error(error.message);
    return 2;
  }
}
