/** Runs tests of packages in a temporary workspace, with a copy of the runner in one of the packages. */
import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const run = promisify(execFile);

/** Packages that the runner imports. */
const INSTALLED = ['@jest', 'jest-mock', 'jest-runtime'];

/** Place of the runner. The workspace is not two folders above, as the repository is above `test/runner`. */
const RUNNER = 'packages/tools/test/runner';

const manifest = (name: string) => JSON.stringify({ name, type: 'module', exports: { './*': './*' } });

const FILES = {
  'package.json': manifest('workspace'),
  'packages/counter/package.json': manifest('counter'),
  'packages/counter/count.ts': 'let uses: number = 0;\nexport const count = (): number => (uses += 1);\n',
  'packages/client/package.json': manifest('client'),
  'packages/tools/package.json': manifest('tools'),
  'jest.config.mjs': `export default ${JSON.stringify({
    testMatch: ['**/*.test.ts'],
    testPathIgnorePatterns: [RUNNER],
    testEnvironment: `<rootDir>/${RUNNER}/environment.ts`,
    runtime: `<rootDir>/${RUNNER}/runtime.ts`,
    transform: {},
  })};\n`,
};

/** Returns a test file that writes how often it and earlier files of its process have used the counter. */
const fileThatCounts = (address: string) => `import { appendFileSync } from 'node:fs';
import { it } from '@jest/globals';
import { count } from '${address}';

it('counts', () => appendFileSync('uses.log', \`\${process.pid} \${count()}\\n\`));
`;

/** @param lockFile folder of the lock file, relative to the workspace */
function createWorkspace(lockFile: string): string {
  const workspace = mkdtempSync(join(tmpdir(), 'workspace-'));
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), content);
  };
  for (const [path, content] of Object.entries(FILES)) write(path, content);
  write('packages/counter/one.test.ts', fileThatCounts('./count.ts'));
  write('packages/counter/other.test.ts', fileThatCounts('./count.ts'));
  write('packages/client/one.test.ts', fileThatCounts('counter/count.ts'));
  write('packages/client/other.test.ts', fileThatCounts('counter/count.ts'));
  write(join(lockFile, 'package-lock.json'), '{}');
  for (const file of globSync('test/runner/*.ts', { exclude: ['**/*.test.ts'] }))
    cpSync(file, join(workspace, RUNNER, basename(file)));
  mkdirSync(join(workspace, 'node_modules'));
  for (const name of INSTALLED) symlinkSync(resolve('node_modules', name), join(workspace, 'node_modules', name));
  symlinkSync('../packages/counter', join(workspace, 'node_modules', 'counter'));
  return workspace;
}

const runJest = (workspace: string) =>
  run(process.execPath, [resolve('node_modules/jest/bin/jest.js'), '--runInBand'], { cwd: workspace });

describe('the runner in a package of a workspace', () => {
  it('gives each file its own instances of modules, in its package and in packages linked in node_modules', async () => {
    const workspace = createWorkspace('.');
    await runJest(workspace);
    const lines = readFileSync(join(workspace, 'uses.log'), 'utf8').trimEnd().split('\n');
    const [pid = ''] = lines[0]?.split(' ') ?? [];
    expect(lines).toEqual(Array.from({ length: 4 }, () => `${pid} 1`));
    rmSync(workspace, { recursive: true });
  });

  it('refuses test files outside of the folder of the lock file', async () => {
    const workspace = createWorkspace('packages/tools');
    await expect(runJest(workspace)).rejects.toMatchObject({
      stderr: expect.stringContaining(
        `packages/client/one.test.ts is outside of ${join(workspace, 'packages/tools')}/, so its modules cannot be isolated.`,
      ),
    });
    rmSync(workspace, { recursive: true });
  });
});
