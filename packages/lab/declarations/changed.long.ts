/**
 * Changes the declarations of a copy of this repository at random, as a team does, and runs the tests that could depend
 * on them: endpoints, pools, templates and environments are added, renamed and removed, or all of a kind are. The seed
 * determines the changes. This command repeats a run:
 *
 *   DECLARED_SEED=7 npm run test:long -w packages/lab -- declarations
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { MINUTE } from '../../../core/limits.ts';
import { seedOf } from '../../../test/runner/seed.ts';
import { copyRepository } from '../../../test/support/repository.ts';

/** Hidden files that tests read; `copyRepository` copies none. */
const HIDDEN = ['.ci', '.github', '.gitignore'];

/**
 * The tests that synthesize or read declarations, one of `npm start`, and those of documents, by the configuration of
 * Jest that finds them.
 */
const AFFECTED = {
  'jest.config.mjs': [
    ...['test/lib/endpoints', 'test/lib/capacity', 'test/lib/templates', 'test/lib/deployment', 'test/limits'],
    ...['test/docs', 'test/examples', 'test/git', 'test/package'],
    'test/acceptance/start.test.ts',
  ],
  'packages/lab/jest.config.mjs': ['packages/lab/rehearsal', 'packages/lab/permissions'],
};

const seed = seedOf('DECLARED_SEED');
const copy = join(mkdtempSync(join(tmpdir(), 'gpu-endpoints-declared-')), 'repository');
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** The files of a team, by folder. Each is valid on its own; an endpoint names only a pool that exists. */
const own: Readonly<Record<string, (pools: readonly string[]) => string>> = {
  capacity: () => 'kind: nvidia\ninstanceTypes: [g6.xlarge]\n',
  endpoints: ([pool]) => `image: team/worker:1.2\n${pool ? `capacity: ${pool}\ngpus: 1\n` : ''}`,
  environments: () => 'deployment: gpu-endpoints-team\nwaits: 100\n',
  templates: () => 'name: Team\nimageName: team/worker:1.2\n',
};

/** Returns the files of the folder, which Git does not keep if a team has deleted them all. */
function namesIn(folder: string): string[] {
  mkdirSync(join(copy, folder), { recursive: true });
  return readdirSync(join(copy, folder)).sort();
}

/**
 * Removes, renames and adds files of the folder.
 * @returns what it did
 */
function change(folder: string, random: () => number): string[] {
  const removesAll = random() < 0.4;
  const done: string[] = [];
  for (const name of namesIn(folder)) {
    const file = join(copy, folder, name);
    const chance = random();
    if (removesAll || chance < 0.4) rmSync(file, { recursive: true });
    else if (chance < 0.7 && folder !== 'templates') renameSync(file, join(copy, folder, `renamed-${name}`));
    else continue;
    done.push(`${folder}/${name}: ${removesAll || chance < 0.4 ? 'removed' : 'renamed'}`);
  }
  if (random() < 0.7) {
    const pools = folder === 'endpoints' ? namesIn('capacity').map((name) => name.replace('.yaml', '')) : [];
    writeFileSync(join(copy, folder, 'of-the-team.yaml'), own[folder]?.(pools) ?? '');
    done.push(`${folder}/of-the-team.yaml: added`);
  }
  return done;
}

describe('a repository with the declarations of a team', () => {
  it(
    'passes the tests of the product',
    async () => {
      copyRepository(process.cwd(), copy);
      for (const name of HIDDEN) cpSync(name, join(copy, name), { recursive: true });
      const [numbers = []] = fc.sample(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), { minLength: 100, maxLength: 100 }),
        { seed, numRuns: 1 },
      );
      const random = () => numbers.pop() ?? 0;
      // Pools first, because endpoints name them.
      const done = ['capacity', 'endpoints', 'environments', 'templates'].flatMap((folder) => change(folder, random));
      console.log(`DECLARED_SEED=${seed}: ${done.join(', ')}`);
      // Tests ask Git for the files of the repository.
      for (const step of [
        ['init', '--quiet'],
        ['add', '--all'],
      ])
        execFileSync('git', step, { cwd: copy });
      const { DECLARATIONS: _, ...env } = process.env;
      const jest = ['--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
      for (const [config, tests] of Object.entries(AFFECTED)) {
        const program = [...jest, '--config', config, ...tests];
        const child = spawn(process.execPath, program, { cwd: copy, env, stdio: ['ignore', 'pipe', 'pipe'] });
        const [said, failed, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
        if (code !== 0) console.log(said + failed);
        expect(code).toBe(0);
      }
    },
    20 * MINUTE,
  );
});
