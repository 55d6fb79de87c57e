/** Synthesizes the stacks of the app for commands that inspect them. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, readApp } from './app.ts';
import { appFolder, appProgram, cdkJson } from './app-folder.ts';
import type { Context } from './context.ts';

/** Time limit of a synthesis, enough for a busy machine, in milliseconds. */
const LIMIT = 120_000;

/** Returns the context of `cdk.json` with more values, as JSON. */
export function contextWith(more: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ ...cdkJson().context, ...more });
}

/**
 * Synthesizes the app into a temporary folder, which is removed after its use.
 * @throws Error with the output of the app if the synthesis fails
 */
async function synthesizeWith<Result>(context: string, use: (folder: string) => Result): Promise<Awaited<Result>> {
  const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-synthesized-'));
  const env = { ...process.env, CDK_OUTDIR: folder, CDK_CONTEXT_JSON: context };
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  execFile(process.execPath, [appProgram()], { cwd: appFolder(), env, timeout: LIMIT }, (error, _, stderr) => {
    if (error) reject(new Error(`${stderr.trim()}\nThe stacks could not be synthesized: see above.`));
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
 * @throws Error with the output of the app if the synthesis fails
 */
export const synthesizeTemplates = <Result>(settings: Context, use: (folder: string) => Result) =>
  synthesizeWith(contextWith({ ...settings, 'console:built-later': true, 'aws:cdk:bundling-stacks': [] }), use);

/**
 * Returns the synthesized app, without the code of functions, which no caller inspects.
 * @param settings of the command line, in addition to `cdk.json`
 * @throws Error with the output of the app if the synthesis fails
 */
export const synthesize = (settings: Context = {}): Promise<App> => synthesizeTemplates(settings, readApp);

/**
 * Synthesizes the app with the code of functions, but without the pages of the console.
 * @param use uses the app and the folder with the code
 * @throws Error with the output of the app if the synthesis fails
 */
export const synthesizeCode = <Result>(
  settings: Context,
  use: (app: App, folder: string) => Promise<Result>,
): Promise<Awaited<Result>> =>
  synthesizeWith(contextWith({ ...settings, 'console:built-later': true }), (folder) => use(readApp(folder), folder));
