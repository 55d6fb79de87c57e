/** The stacks as they are deployed, once with a second endpoint beside those of the repository and once without it. */
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Assemblies {
  /** Folder of the stacks with both endpoints. */
  readonly both: string;
  /** Folder of the same without the second endpoint: deployed after the other, it is removed. */
  readonly without: string;
}

/** The endpoint that is there anyway, and the second one. */
export const FIRST = 'echo';
export const SECOND = 'second';
/** Its image cannot be pulled: it backs off, which what hears of tasks sees to. */
export const BROKEN = 'broken';
/** Of the repository, too: its streams are drained. */
export const DRAINED = 'echo-sdk';

function withoutStack(folder: string, stack: string): void {
  const file = join(folder, 'manifest.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as { artifacts: Record<string, unknown> };
  delete manifest.artifacts[stack];
  writeFileSync(file, JSON.stringify(manifest));
}

/** Synthesizes both into the folder; takes some 10 s. */
export function synthesizeBoth(folder: string): Assemblies {
  const assemblies = { both: join(folder, 'both'), without: join(folder, 'without') };
  execFileSync(process.execPath, ['test/permissions/synthesize.ts', assemblies.both], { stdio: 'pipe' });
  cpSync(assemblies.both, assemblies.without, { recursive: true });
  withoutStack(assemblies.without, `Endpoint-${SECOND}`);
  return assemblies;
}
