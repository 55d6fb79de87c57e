/**
 * Synthesizes the stacks twice: with a second endpoint in addition to those of the repository, and without it. The
 * second synthesis also changes the service and the workers of another endpoint.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changeStack } from '../../../test/acceptance/assembly.ts';
import { upgrade } from '../../../test/acceptance/upgraded-endpoint.ts';

export interface Assemblies {
  /** Folder of the stacks with both endpoints. */
  readonly both: string;
  /** Folder of the stacks without the second endpoint, which their deployment removes. */
  readonly without: string;
}

/** The ids of an endpoint of the repository and of the second endpoint. */
export const FIRST = 'echo';
export const SECOND = 'second';
/** An endpoint whose image cannot be pulled, and which backs off after the events of its tasks. */
export const BROKEN = 'broken';
/** An official template that no endpoint uses and whose file is removed. */
export const SPARE = 'spare';
/** Another endpoint of the repository, whose workers are HTTP servers and whose template is updated. */
export const SERVED = 'echo-http';
/** Another endpoint of the repository, whose streams are drained. */
export const DRAINED = 'echo-sdk';

function withoutStack(folder: string, stack: string): void {
  const file = join(folder, 'manifest.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as { artifacts: Record<string, unknown> };
  delete manifest.artifacts[stack];
  writeFileSync(file, JSON.stringify(manifest));
}

/** Removes the resource from its stack. */
function withoutSpare(folder: string): void {
  changeStack(folder, 'Templates', (resources) => {
    const spare = Object.keys(resources).filter((id) => resources[id]?.Properties.id === SPARE);
    if (spare.length !== 1) throw new Error(`The stack must have exactly one template ${SPARE}.`);
    for (const id of spare) delete resources[id];
  });
}

/** Synthesizes both assemblies into the folder, which takes about 10 s. */
export function synthesizeBoth(folder: string): Assemblies {
  const assemblies = { both: join(folder, 'both'), without: join(folder, 'without') };
  execFileSync(process.execPath, ['packages/lab/permissions/synthesize.ts', assemblies.both], { stdio: 'pipe' });
  cpSync(assemblies.both, assemblies.without, { recursive: true });
  withoutStack(assemblies.without, `Endpoint-${SECOND}`);
  withoutSpare(assemblies.without);
  changeStack(assemblies.without, `Endpoint-${FIRST}`, upgrade);
  return assemblies;
}
