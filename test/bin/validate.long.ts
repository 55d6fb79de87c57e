/** Runs `npx gpu-endpoints validate` as a process, with declarations of a team. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { declared } from '../support/declared.ts';
import { parseOutput } from './command-output.ts';

const root = mkdtempSync(join(tmpdir(), 'gpu-endpoints-validate-'));
const folder = join(root, 'team');
afterAll(() => rmSync(root, { recursive: true }));
beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  cpSync(declared, folder, { recursive: true });
});

const cli = resolve('bin/cli.ts');

function validate(...args: string[]) {
  const env = { ...process.env, DECLARATIONS: folder };
  return spawnSync(process.execPath, [cli, 'validate', ...args], { encoding: 'utf8', env });
}

describe('gpu-endpoints validate', () => {
  it('prints the largest stack beside each limit', () => {
    writeFileSync(join(folder, 'endpoints/team.yaml'), 'image: team/worker:1\n');
    const { status, stdout } = validate();
    expect([status, stdout]).toEqual([0, expect.stringContaining('The declarations are valid.')]);
    expect(stdout).toMatch(/^ok {9}Platform: \d+ resources; at most 500 are allowed$/m);
    expect(stdout).toMatch(/characters of the policies of \w+; at most 10240 are allowed$/m);
    expect(stdout).toContain('9 stacks, 0 problems');
  });

  it('fails with one sentence for each invalid file', () => {
    writeFileSync(join(folder, 'endpoints/team.yaml'), 'image: team/worker:1\nmaxWorkers: 0\n');
    writeFileSync(join(folder, 'capacity/other.yaml'), 'kind: intel\ninstanceTypes: [g6.xlarge]\n');
    const { status, stderr } = validate();
    expect(status).toBe(1);
    expect(stderr).toContain('capacity/other.yaml: `kind` must be');
  });

  it('prints only the problems of files, and suggests the nearest field', () => {
    writeFileSync(join(folder, 'endpoints/team.yaml'), 'image: team/worker:1\nmaxWorker: 2\ncpu: 3\n');
    const { status, stderr, stdout } = validate();
    expect([status, stdout]).toEqual([1, '']);
    const lines = stderr.split('\n');
    expect(lines).toHaveLength(5);
    expect(lines[1]).toMatch(/^endpoints\/team\.yaml: /);
    expect(lines[0]).toBe('endpoints/team.yaml: `maxWorker` is not a field: did you mean maxWorkers?');
    expect(lines[3]).toBe('2 problems.');
    const json = validate('--json');
    expect(json.status).toBe(1);
    expect(parseOutput('validate', json.stdout)).toEqual({ problems: lines.slice(0, 2) });
  });

  it('prints no stack of an app that does not catch the error', () => {
    const app = `throw Object.assign(new Error('endpoints/a.yaml: wrong'), { name: 'InvalidDeclarations', problems: [] });`;
    writeFileSync(join(folder, 'app.mjs'), app);
    writeFileSync(join(folder, 'cdk.json'), JSON.stringify({ app: 'node app.mjs' }));
    const { status, stderr } = spawnSync(process.execPath, [cli, 'validate'], { cwd: folder, encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, 'endpoints/a.yaml: wrong\n\n1 problem.\n']);
  });

  it('warns of a template that no file declares', () => {
    writeFileSync(join(folder, 'endpoints/team.yaml'), 'template: uper\n');
    const { status, stdout } = validate();
    expect(status).toBe(0);
    expect(stdout).toMatch(/^warning {4}endpoints\/team\.yaml: no file in templates\/ is `uper` \(there are /m);
  });

  it('fails if an environment does not exist, and names those that do', () => {
    const { status, stderr } = validate('-c', 'environment=prod');
    expect([status, stderr]).toEqual([1, expect.stringContaining('environments/ (example), got "prod"')]);
  });
});

describe('gpu-endpoints validate, for an environment', () => {
  beforeEach(() => {
    writeFileSync(join(folder, 'environments/prod.yaml'), 'waits: 100\n');
    mkdirSync(join(folder, 'environments/prod/endpoints'), { recursive: true });
  });
  const override = (id: string, text: string) =>
    writeFileSync(join(folder, `environments/prod/endpoints/${id}.yaml`), text);

  it('prints each field that the environment overrides, and no value of a variable', () => {
    override('echo', 'maxWorkers: 20\nenv: { TOKEN: not-for-logs }\n');
    override('echo-http', 'deploy: false\n');
    const { status, stdout } = validate('--env', 'prod');
    expect([status, stdout]).toEqual([0, expect.stringContaining('7 stacks, 0 problems')]);
    expect(stdout.split('\n').filter((line) => line.startsWith('prod'))).toEqual([
      'prod      echo: `maxWorkers` is 20 instead of 3',
      'prod      echo: `env.TOKEN` is overridden',
      'prod      echo-http: `deploy` is false instead of true',
    ]);
    expect(stdout).not.toContain('not-for-logs');
    const { stdout: json } = validate('--env', 'prod', '--json');
    expect(parseOutput('validate', json)).toMatchObject({
      stacks: 7,
      overridden: [
        { endpoint: 'echo', field: 'maxWorkers', value: 20, without: 3 },
        { endpoint: 'echo', field: 'env.TOKEN' },
        { endpoint: 'echo-http', field: 'deploy', value: false, without: true },
      ],
    });
    expect(json).not.toContain('not-for-logs');
  });

  it('fails if another environment overrides a field with an invalid value', () => {
    override('echo', 'maxWorkers: 0\n');
    const { status, stderr } = validate('-c', 'environment=example');
    expect([status, stderr]).toEqual([1, expect.stringContaining('prod/endpoints/echo.yaml: `maxWorkers` must be')]);
  });
});
