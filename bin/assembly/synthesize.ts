/** Synthesizes the stacks of the app for commands that inspect them. */
import { type ExecFileException, execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, readApp } from './app.ts';
import { appFolder, appProgram, cdkJson, REFUSED } from './app-folder.ts';
import type { Context } from './context.ts';

/** Time limit of a synthesis, enough for a busy machine, in milliseconds. */
const LIMIT = 120_000;

/** Names of the errors of `lib/` whose message has one sentence for each problem. */
const REFUSALS = ['InvalidDeclarations', 'InvalidSetting'];

/** Returns the context of `cdk.json` with more values, as JSON. */
export function contextWith(more: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ ...cdkJson().context, ...more });
}

/** The app refuses its declarations or settings, or the synthesis fails otherwise. */
export class SynthesisFailed extends Error {
  override readonly name = 'SynthesisFailed';
  /** One sentence for each problem, or the whole output of the app if it is not about declarations. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super([...problems, `\n${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}.`].join('\n'));
    this.problems = problems;
  }
}

/** Prints only the message of an error about declarations, without the stack: the app's code is not at fault. */
const REPORT = `data:text/javascript,${encodeURIComponent(`process.setUncaughtExceptionCaptureCallback((error) => {
  const isRefusal = ${JSON.stringify(REFUSALS)}.includes(error?.name);
  console.error(isRefusal ? error.message : error);
  process.exit(isRefusal ? ${REFUSED} : 1);
});`)}`;

function failureOf({ code }: ExecFileException, stderr: string): SynthesisFailed {
  const output = stderr.trim();
  return new SynthesisFailed(code === REFUSED ? output.split('\n') : [output]);
}

/**
 * Synthesizes the app into a temporary folder, which is removed after its use.
 * @throws SynthesisFailed
 */
async function synthesizeWith<Result>(context: string, use: (folder: string) => Result): Promise<Awaited<Result>> {
  const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-synthesized-'));
  const env = { ...process.env, CDK_OUTDIR: folder, CDK_CONTEXT_JSON: context };
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const args = ['--import', REPORT, appProgram()];
  execFile(process.execPath, args, { cwd: appFolder(), env, timeout: LIMIT }, (error, _, stderr) => {
    if (error) reject(failureOf(error, stderr));
    else resolve();
  });
  try {
    await promise;
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Synthesizes the app without the code of functions and without the pages of the console, neither of which changes a
 * template's size.
 * @param use uses the folder of the assembly
 * @throws SynthesisFailed
 */
export const synthesizeTemplates = <Result>(settings: Context, use: (folder: string) => Result) =>
  synthesizeWith(contextWith({ ...settings, 'console:built-later': true, 'aws:cdk:bundling-stacks': [] }), use);

/**
 * Returns the synthesized app, without the code of functions, which no caller inspects.
 * @param settings of the command line, in addition to `cdk.json`
 * @throws SynthesisFailed
 */
export const synthesize = (settings: Context = {}): Promise<App> => synthesizeTemplates(settings, readApp);

/**
 * Synthesizes the app with the code of functions, but without the pages of the console.
 * @param use uses the app and the folder with the code
 * @throws SynthesisFailed
 */
export const synthesizeCode = <Result>(
  settings: Context,
  use: (app: App, folder: string) => Promise<Result>,
): Promise<Awaited<Result>> =>
  synthesizeWith(contextWith({ ...settings, 'console:built-later': true }), (folder) => use(readApp(folder), folder));
