/** Synthesizes the stacks of this repository for commands that inspect them. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type App, readApp } from './app.ts';
import type { Context } from './context.ts';

/** Time limit of a synthesis, enough for a busy machine, in milliseconds. */
const LIMIT = 120_000;
const repository = dirname(dirname(import.meta.dirname));

/** Returns the context. It turns off the bundling of functions, because no command inspects their code. */
function contextOf(file: string, more: Context): string {
  const { context } = JSON.parse(readFileSync(file, 'utf8')) as { context: object };
  return JSON.stringify({ ...context, ...more, 'aws:cdk:bundling-stacks': [] });
}

/**
 * Returns the synthesized app.
 * @param settings of the command line, in addition to `cdk.json`
 * @throws Error with the output of the app if the synthesis fails
 */
export async function synthesize(settings: Context = {}): Promise<App> {
  const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-synthesized-'));
  const context = contextOf(join(repository, 'cdk.json'), settings);
  const env = { ...process.env, CDK_OUTDIR: folder, CDK_CONTEXT_JSON: context };
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  execFile(process.execPath, ['bin/gpu-endpoints.ts'], { cwd: repository, env, timeout: LIMIT }, (error, _, stderr) => {
    if (error) reject(new Error(`${stderr.trim()}\nThe stacks could not be synthesized: see above.`));
    else resolve();
  });
  try {
    await promise;
    return readApp(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
