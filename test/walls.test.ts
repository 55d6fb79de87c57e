/** Tests that `npm run lint` reports imports through each wall of walls.ts, in each form that TypeScript has. */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import walls from '../walls.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'walls-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const run = (program: string, ...parameters: string[]) =>
  spawnSync(resolve('node_modules/.bin', program), parameters, { cwd: folder, encoding: 'utf8' });

interface Refused {
  readonly from: string;
  readonly to: string;
  readonly rule: { readonly name: string };
}

/** Returns the imports of the folder that the walls refuse, as sentences. */
function refused(): ReadonlySet<string> {
  const { stdout, stderr } = run('depcruise', '--config', resolve('walls.ts'), '--output-type', 'json', '.');
  expect(stderr).toBe('');
  const { summary } = JSON.parse(stdout) as { summary: { violations: readonly Refused[] } };
  return new Set(summary.violations.map(({ from, to, rule }) => `${rule.name}: ${from} imports ${to}`));
}

it('refuses each form of import through a wall', () => {
  const forms = {
    'names.ts': "import { a } from '../aws/a.ts';",
    'effects.ts': "import '../aws/a.ts';",
    'types.ts': "import type { A } from '../aws/a.ts';",
    'named-types.ts': "import { type A } from '../aws/a.ts';",
    'exported.ts': "export { a } from '../aws/a.ts';",
    'exported-types.ts': "export type { A } from '../aws/a.ts';",
    'all.ts': "export * from '../aws/a.ts';",
    'dynamic.ts': "class A { async load() { return { a: [await import('../aws/a.ts')] } satisfies object; } }",
    'template.ts': 'const load = () => import(`../aws/a.ts`);',
    'page.tsx': "import type { A } from '../aws/a.ts';\nexport const page = <Page<A> />;",
    'dynamic-page.tsx': "export const page = <Page load={() => import('../aws/a.ts')} />;",
    'script.mjs': "import '../aws/a.ts';",
  };
  write('aws/a.ts', 'export const a = 1;\nexport type A = 1;');
  for (const [name, text] of Object.entries(forms)) write(`core/${name}`, text);
  expect(refused()).toEqual(new Set(Object.keys(forms).map((name) => `core: core/${name} imports aws/a.ts`)));
});

it('refuses an import of a package and of a file by each wall', () => {
  for (const target of ['core/a.ts', 'docs/a.ts', 'packages/lab/a.ts']) write(target, '');
  const laboratory: Readonly<Record<string, readonly [string, string]>> = {
    'to packages/lab': ['test/b.ts', 'packages/lab/a.ts'],
    'packages/lab/bench': ['packages/lab/bench/b.ts', 'core/a.ts'],
    'packages/lab/rehearsal': ['packages/lab/rehearsal/b.ts', 'core/a.ts'],
  };
  const expected = walls.forbidden.flatMap(({ name = '' }) => {
    const isFile = name.endsWith('.ts');
    const [from, to] = laboratory[name] ?? [isFile ? name : `${name}/b.ts`, 'docs/a.ts'];
    write(from, `import 'another-package';\nimport '${relative(dirname(from), to)}';`);
    const packages = name in laboratory ? [] : ['another-package'];
    return [...packages, to].map((target) => `${name}: ${from} imports ${target}`);
  });
  expect(refused()).toEqual(new Set(expected));
});

it('refuses modules of Node.js only in files for browsers', () => {
  write('packages/console/a.ts', "import 'node:fs';\nimport 'react';");
  write('core/a.ts', "import 'node:fs';\nimport 'zod';");
  expect(refused()).toEqual(new Set(['packages/console: packages/console/a.ts imports fs']));
});

it('refuses a package that the emulator does not declare, and in its code one that only its tests may import', () => {
  const manifest = { dependencies: { used: '1.0.0' }, devDependencies: { tested: '1.0.0' } };
  write('packages/emulator/package.json', JSON.stringify(manifest));
  for (const name of ['used', 'tested', 'undeclared']) write(`node_modules/${name}/index.js`, '');
  write('packages/emulator/a.ts', "import 'used';\nimport 'tested';\nimport 'undeclared';");
  write('packages/emulator/test/a.ts', "import 'used';\nimport 'tested';\nimport 'undeclared';");
  expect(refused()).toEqual(
    new Set([
      'packages/emulator: packages/emulator/a.ts imports node_modules/tested/index.js',
      'packages/emulator: packages/emulator/a.ts imports node_modules/undeclared/index.js',
      'packages/emulator/test: packages/emulator/test/a.ts imports node_modules/undeclared/index.js',
    ]),
  );
});

it('has a wall only between files that exist', () => {
  const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n');
  const patterns = walls.forbidden
    .flatMap(({ from, to }) => [from.path ?? [], to.path ?? [], to.pathNot ?? []].flat())
    .filter((pattern) => pattern.startsWith('^'));
  expect(patterns.filter((pattern) => !files.some((file) => new RegExp(pattern).test(file)))).toEqual([]);
});

it('refuses what the walls do not see', () => {
  write('core/a.ts', "import type { B } from './b.tsx';\nexport type A = B;");
  write('core/b.tsx', "import type { A } from './a.ts';\nexport type B = A | import('./c.ts').C;");
  write('core/c.ts', 'export type C = string;\nexport const path = process.env.PATH;');
  for (const file of ['biome.json', 'no-import-types.grit', '.gitignore']) copyFileSync(file, join(folder, file));
  const { stdout } = run('biome', 'lint', '--reporter=github');
  const reported = [...stdout.matchAll(/title=(?<rule>[^,]+),file=.*?(?<file>core\/[^,]+),/g)];
  expect(new Set(reported.map(([, rule, file]) => `${file}: ${rule}`))).toEqual(
    new Set([
      'core/a.ts: lint/suspicious/noImportCycles',
      'core/b.tsx: lint/suspicious/noImportCycles',
      'core/b.tsx: plugin',
      'core/c.ts: lint/style/noProcessEnv',
    ]),
  );
});
