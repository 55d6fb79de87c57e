/** Runs a generator of one file as a process. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';

const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-generator-'));
const file = join(folder, 'page.md');
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => rmSync(file, { force: true }));

const CODE = `
  const { runGenerator } = await import(${JSON.stringify(resolve('bin/pages/generator.ts'))});
  runGenerator({ command: 'pages', files: { 'page.md': async () => '# New\\n' } }, process.argv.slice(1));
`;

function generate(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', CODE, '--', ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('a generator', () => {
  it('writes its files', () => {
    expect(generate()).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(readFileSync(file, 'utf8')).toBe('# New\n');
  });

  it('reports with --check that a file differs or does not exist, and writes nothing', () => {
    const stderr = 'page.md differs from the code: run npm run pages.\n';
    expect(generate('--check')).toEqual({ status: 1, stdout: '', stderr });
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, '# Old\n');
    expect(generate('--check')).toEqual({ status: 1, stdout: '', stderr });
    expect(readFileSync(file, 'utf8')).toBe('# Old\n');
  });

  it('succeeds with --check if its files are up to date', () => {
    writeFileSync(file, '# New\n');
    expect(generate('--check')).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('names an unknown option in one sentence', () => {
    const stderr = "Unknown option '--chek'; npm run pages -- --help lists the options.\n";
    expect(generate('--chek')).toEqual({ status: 1, stdout: '', stderr });
  });
});
