import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobStatuses } from '../../core/jobs/job.ts';

const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-completion-'));
const env = {
  XDG_CONFIG_HOME: folder,
  PATH: [folder, ...(process.env.PATH ?? '').split(delimiter)].join(delimiter),
};
const CLI = resolve('bin/cli.ts');
const complete = (...args: string[]) =>
  execFileSync(process.execPath, [CLI, 'complete', ...args], { cwd: folder, env, encoding: 'utf8' });
const namesFor = (...words: string[]) =>
  complete('--', ...words)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(':'))
    .map((line) => line.split('\t')[0]);

beforeAll(() => {
  mkdirSync(join(folder, 'gpu-endpoints'));
  const profile = { url: 'https://gpu.example.com', key: 'x' };
  writeFileSync(join(folder, 'gpu-endpoints/profiles.json'), JSON.stringify({ prod: profile }));
  mkdirSync(join(folder, 'environments'));
  writeFileSync(join(folder, 'environments/test.yaml'), '');
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  const program = `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`;
  writeFileSync(join(folder, 'node_modules/.bin/gpu-endpoints'), program, { mode: 0o755 });
});
afterAll(() => rmSync(folder, { recursive: true }));

it('names the values of --env and --status', () => {
  expect(namesFor('endpoints', 'ls', '--env', '')).toEqual(['local', 'prod', 'test']);
  expect(namesFor('jobs', 'ls', 'echo', '--status', '')).toEqual([...jobStatuses]);
});

describe('the completion for bash', () => {
  /** Completes a line in a bash without bash-completion, which has read the completion twice. */
  function inBash(...words: string[]) {
    const script = `source "$1"; source "$1"
      PATH="$PWD/node_modules/.bin:$PATH"
      shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gpu_endpoints; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const file = join(folder, 'completion.bash');
    writeFileSync(file, complete('bash'));
    const options = { cwd: folder, env, encoding: 'utf8' } as const;
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script, 'bash', file, ...words], options);
    expect(stderr).toBe('');
    return stdout.trim().split('\n');
  }

  it.each([[['gpu-endpoints']], [['npx', 'gpu-endpoints']]])('completes a command after %j', (program) => {
    expect(inBash(...program, 'prof')).toEqual(['profiles']);
    expect(inBash(...program, 'jobs', '')).toContain('retry');
  });

  it('leaves other programs of npx to bash', () => {
    expect(inBash('npx', 'jest', '')).toEqual(['']);
  });
});

it('completes npx in zsh, too, with the program of the folder', () => {
  const script = complete('zsh');
  expect(script).toContain('compdef _gpu-endpoints gpu-endpoints\n');
  expect(script).toMatch(/\$PWD\/node_modules\/\.bin:.*_gpu-endpoints\n.*compdef _gpu_endpoints_npx npx\n/s);
});

it('says in the help how to install it', () => {
  const { stdout } = spawnSync(process.execPath, [CLI, 'complete', '--help'], { env, encoding: 'utf8' });
  expect(stdout).toContain('source <(npx gpu-endpoints complete bash)');
  expect(stdout).toContain('source <(npx gpu-endpoints complete zsh)');
});

it('lists the exit codes in the help of the program', () => {
  const { stdout } = spawnSync(process.execPath, [CLI, '--help'], { env, encoding: 'utf8' });
  expect(stdout).toMatch(/^Exit codes:\n {2}0 .*\n {2}1 .*\n {2}2 .*\n {2}3 {4}the job .*\n {2}130 {2}Ctrl-C$/m);
});
