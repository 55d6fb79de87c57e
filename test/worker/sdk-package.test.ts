/** Tests the npm package of `npm run sdk:pack`, as a worker author in another repository uses it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';

const project = mkdtempSync(join(tmpdir(), 'worker-'));
const installed = join(project, 'node_modules/gpu-endpoints');

beforeAll(() => {
  const packed = execFileSync(process.execPath, ['bin/worker-sdk.ts'], { encoding: 'utf8' }).trim();
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', packed, '-C', installed, '--strip-components', '1']);
  writeFileSync(join(project, 'package.json'), '{"type": "module"}');
});

/**
 * Checks the types of a worker in a project without `@types/node`.
 * @returns what the compiler prints
 */
function compile(worker: string): string {
  writeFileSync(join(project, 'worker.ts'), worker);
  const args = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024'];
  return spawnSync(resolve('node_modules/.bin/tsc'), [...args, 'worker.ts'], {
    cwd: project,
    encoding: 'utf8',
  }).stdout;
}

describe('the package of the worker SDK', () => {
  it('contains the SDK, its types and the licence, and nothing else', () => {
    const files = readdirSync(installed, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(new Set(files.map(({ name }) => name))).toEqual(
      new Set(['LICENSE', 'environment.d.ts', 'handler.d.ts', 'package.json', 'serve.d.ts', 'worker.js']),
    );
  });

  it('has the types of a handler and of its job', () => {
    const worker = (member: string) => `
      import { type Handler, rawJson, serve } from 'gpu-endpoints/worker';
      const handler: Handler = async ({ ${member}, chunk }) => { await chunk(${member}, { running: 1 }); return rawJson('{}'); };
      await serve(handler, { aggregateStream: true });
    `;
    expect(compile(worker('input'))).toBe('');
    expect(compile(worker('inputs'))).toContain("Property 'inputs' does not exist on type 'WorkerJob'");
  });

  it('exports the functions of the SDK without any other package', () => {
    const program = "console.log(Object.keys(await import('gpu-endpoints/worker')).sort().join())";
    const args = ['--input-type=module', '--eval', program];
    expect(execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8' })).toBe(
      'optionalEnvironment,rawJson,serve\n',
    );
  });
});

it('is what the import resolves to in this repository, too', async () => {
  const own: object = await import('gpu-endpoints/worker');
  expect(new Set(Object.keys(own))).toEqual(new Set(['optionalEnvironment', 'rawJson', 'serve']));
});
