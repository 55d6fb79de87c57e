/** Declares the test that follows one tutorial. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { gpuEndpoints } from '../../../bin/start/description.ts';
import { MINUTE } from '../../../core/limits.ts';
import { freePort } from '../../../packages/emulator/network/ports.ts';
import { endMarkedProcesses } from '../../../packages/emulator/state/processes.ts';
import { fingerprint, STAMP } from '../../../packages/emulator/synthesis/synthesize.ts';
import { copyAssembly } from '../../acceptance/assembly.ts';
import { withPython } from '../../acceptance/workers/kinds-here.ts';
import { copyRepository } from '../../support/repository.ts';
import { stepsOf } from './page.ts';
import { fileOf, playedPages } from './pages.ts';
import { Reader } from './reader.ts';

const LIMIT = 10 * MINUTE;

/** Variables of npm, the test runner and the developer's own deployment, which a reader does not have. */
const OWN =
  /^(?:npm_(?!config_(?:registry|userconfig|cache|cafile)$)|NODE_(?!COMPILE_CACHE$)|INIT_CWD|DECLARATIONS|JEST|POWERTOOLS|AWS_|GPU_ENDPOINTS_)/;

/** Returns the environment of a reader, whose `node` is the one of the machine, and who has no profiles yet. */
export function environment(port: number): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !OWN.test(name));
  const path = (process.env.PATH ?? '').split(':').filter((folder) => !folder.includes('node_modules'));
  const profiles = mkdtempSync(join(tmpdir(), 'profiles-'));
  return { ...Object.fromEntries(own), PATH: path.join(':'), PORT: String(port), XDG_CONFIG_HOME: profiles };
}

/** Stores the assembly of the unchanged clone, as an earlier start would. */
async function storeAssembly(folder: string): Promise<void> {
  const stateDir = join(folder, '.local');
  mkdirSync(stateDir);
  await copyAssembly(join(stateDir, 'assembly'));
  const sources = fingerprint({ ...gpuEndpoints.app, folder }, {});
  writeFileSync(join(stateDir, STAMP), JSON.stringify({ sources }));
}

/** Follows the page in a copy of this repository. */
async function follow(name: string): Promise<void> {
  const folder = join(mkdtempSync(join(tmpdir(), `${name}-`)), 'gpu-endpoints');
  copyRepository(process.cwd(), folder);
  if (playedPages[name]?.startedBefore) await storeAssembly(folder);
  const reader = new Reader({ folder, env: environment(await freePort()), ...playedPages[name] });
  try {
    const page = fileOf(name);
    await reader.follow(page, stepsOf(readFileSync(page, 'utf8')));
  } finally {
    await reader.close();
    await endMarkedProcesses(join(folder, '.local'));
  }
}

/** @param name name of the file, without `.md` */
export function followTutorial(name: string): void {
  const title = `docs/tutorials/${name}.md shows every command and file with its result`;
  if (playedPages[name]?.needsPython && !withPython) {
    it(`does not follow docs/tutorials/${name}.md, because Python with the module venv is not installed`, () => {
      expect(withPython).toBe(false);
    });
    return;
  }
  it(title, () => follow(name), LIMIT);
}
