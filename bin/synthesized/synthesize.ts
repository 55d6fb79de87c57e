/** The stacks of this repository, synthesized for a look at them. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type App, readApp } from './app.ts';
import type { Context } from './context.ts';

/** On a busy machine, in milliseconds. */
const LIMIT = 120_000;
const repository = dirname(dirname(import.meta.dirname));

/** Nobody looks at the code of functions, so none is bundled. */
function contextOf(file: string, more: Context): string {
  const { context } = JSON.parse(readFileSync(file, 'utf8')) as { context: object };
  return JSON.stringify({ ...context, ...more, 'aws:cdk:bundling-stacks': [] });
}

/**
 * @param settings besides those of `cdk.json`, as on the command line
 * @throws what the app says if it cannot be synthesized
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
