/** Runs `npx gpu-endpoints remove` as a process, against a server that answers as AWS does. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parseOutput } from './command-output.ts';
import { type Cloud, startCloud } from './remove/cloud.ts';
import { environmentOf, removeIn } from './remove/command.ts';

/** Holds the declarations, and is the home of the user. */
const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-remove-'));
const write = (path: string, content: string) => {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), content);
};
write('endpoints/echo.yaml', 'image: a\n');
write('capacity/nvidia.yaml', 'kind: nvidia\n');
write('environments/prod.yaml', "account: '210987654321'\nregion: eu-west-1\ndeployment: prod\n");

let cloud: Cloud;
beforeEach(async () => {
  cloud = await startCloud();
});
afterEach(() => cloud.stop());
afterAll(() => rmSync(folder, { recursive: true }));

const remove = (...args: readonly string[]) => removeIn(cloud, folder, args);

describe('gpu-endpoints remove without a terminal', () => {
  it('shows what it deletes, what it waits for and what it keeps, and exits with 2', async () => {
    cloud.addDeployment(['echo', 'llm']);
    cloud.instances.set('group-nvidia', [1]);
    expect(await remove('deployment', '--with-storage', 'gpu-endpoints')).toEqual({
      status: 2,
      stderr: '',
      stdout: [
        'Deployment gpu-endpoints in account 123456789012, Region eu-west-1',
        '',
        '1. Delete gpu-endpoints-Endpoint-echo, gpu-endpoints-Endpoint-llm',
        '2. Delete gpu-endpoints-Templates',
        '3. Delete gpu-endpoints-Management',
        '4. Wait until the pools have no instances (nvidia: i-1 (g6.xlarge, InService))',
        '5. Delete gpu-endpoints-Platform',
        '6. Delete gpu-endpoints-Fleet',
        '7. Delete gpu-endpoints-Storage, without its termination protection',
        '',
        'Kept, and charged until you delete it (the commands are printed at the end):',
        '  table jobs-table, 1,234 items, 56 KB',
        '',
      ].join('\n'),
    });
    expect(cloud.changes).toEqual([]);
  });

  it('prints only JSON with --json, and removes nothing, also with --yes', async () => {
    cloud.addDeployment();
    const { status, stdout } = await remove('endpoint', 'echo', '--json', '--yes');
    expect(status).toBe(0);
    expect(parseOutput('remove endpoint', stdout)).toMatchObject({
      steps: [{ do: 'delete', stacks: [{ stack: 'Endpoint-echo' }] }],
      kept: [],
    });
    cloud.instances.set('group-nvidia', [1]);
    const pool = await remove('pool', 'nvidia', '--json');
    expect(parseOutput('remove pool', pool.stdout)).toMatchObject({
      steps: [{ do: 'wait', pools: [{ pool: 'nvidia', instances: [{ id: 'i-1' }] }] }],
    });
    const all = await remove('deployment', '--with-storage', 'gpu-endpoints', '--json');
    expect(parseOutput('remove deployment', all.stdout)).toMatchObject({
      kept: [{ name: 'jobs-table', size: { items: 1_234 } }],
    });
    expect(cloud.changes).toEqual([]);
  });
});

describe('gpu-endpoints remove with --yes', () => {
  it('removes an endpoint, and says which file to delete and what the endpoint keeps', async () => {
    cloud.addDeployment();
    const { status, stdout } = await remove('endpoint', 'echo', '--yes');
    expect(status).toBe(0);
    expect(stdout).toContain('gpu-endpoints-Endpoint-echo: DELETE_COMPLETE\n');
    expect(stdout).toContain('its signing secret, and its files on the volume');
    expect(stdout).toContain('Delete endpoints/echo.yaml, or the next deployment creates the endpoint again.\n');
    expect(cloud.changes).toEqual(['delete gpu-endpoints-Endpoint-echo']);
  });

  it('exits with 0 if the endpoint is not deployed, and names those that are', async () => {
    cloud.addDeployment();
    expect(await remove('endpoint', 'ech', '--yes')).toEqual({
      status: 0,
      stdout: 'The endpoint ech is not deployed in gpu-endpoints. Deployed: echo.\n',
      stderr: '',
    });
  });

  it('keeps Storage without its name, and prints the commands that delete the data after it is gone', async () => {
    cloud.addDeployment([]);
    const first = await remove('deployment', '--yes');
    expect(first).toMatchObject({ status: 0, stderr: '' });
    expect(first.stdout).toContain(
      'Kept in the stack gpu-endpoints-Storage, which --with-storage gpu-endpoints deletes without its data:\n  table jobs-table',
    );
    expect(cloud.changes).not.toContain('delete gpu-endpoints-Storage');
    const command = '    aws dynamodb delete-table --table-name jobs-table --region eu-west-1\n';
    expect(first.stdout).not.toContain(command);
    const second = await remove('deployment', '--yes', '--with-storage', 'gpu-endpoints');
    expect(second).toMatchObject({ status: 0, stdout: expect.stringContaining(command) });
    const third = await remove('deployment', '--yes');
    expect(third).toMatchObject({ status: 0, stdout: expect.stringContaining(command) });
    expect(third.stdout).toContain('No stack of the deployment gpu-endpoints is left to remove.\n');
  });

  it('prints the command that deletes cached images, also while it keeps Storage', async () => {
    cloud.addDeployment([]);
    cloud.stacks.splice(1, 1);
    const type = 'AWS::ECR::RepositoryCreationTemplate';
    cloud.add('Fleet', { resources: [{ id: 'Repositories', type, name: 'gpu-endpoints' }] });
    const { stdout } = await remove('deployment', '--yes');
    expect(stdout).toContain('deletes without its data:\n  table jobs-table');
    expect(stdout).toContain('with these commands:\n  cached images');
    expect(stdout).toContain('aws ecr delete-repository --force --repository-name {} --region eu-west-1\n');
  });

  it('waits for the instances of a pool, and prints how to remove the pool from Fleet', async () => {
    cloud.addDeployment();
    const { status, stdout } = await remove('pool', 'nvidia', '--yes', '-c', 'deployment=gpu-endpoints');
    expect(status).toBe(0);
    expect(stdout).toContain(
      '  rm capacity/nvidia.yaml\n  npx gpu-endpoints deploy Fleet -c deployment=gpu-endpoints\n',
    );
    expect(cloud.changes).toEqual([]);
  });

  it('removes nothing while an endpoint has jobs, and exits with 1', async () => {
    cloud.addDeployment();
    cloud.endpoints = [{ id: 'echo', inQueue: 3 }];
    const { status, stderr } = await remove('endpoint', 'echo', '--yes');
    expect(stderr).toContain('echo has 0 running and 3 waiting jobs');
    expect(status).toBe(1);
    expect(cloud.changes).toEqual([]);
  });

  it('says what CloudFormation continues to delete if it is interrupted, and exits with 130', async () => {
    cloud.addDeployment();
    cloud.isStuck = true;
    const child = spawn(process.execPath, ['bin/cli.ts', 'remove', 'endpoint', 'echo', '--yes'], {
      env: environmentOf(cloud, folder),
    });
    const { promise, resolve } = Promise.withResolvers<number | null>();
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (part) => {
      stdout += part;
      if (stdout.includes('deletion started')) child.kill('SIGINT');
    });
    child.stderr.on('data', (part) => {
      stderr += part;
    });
    child.once('close', resolve);
    expect(await promise).toBe(130);
    expect(stderr).toBe(
      '\nStopped. CloudFormation continues to delete gpu-endpoints-Endpoint-echo.\nRun the same command again to continue: it waits for what is being deleted.\n',
    );
  });
});

describe('gpu-endpoints remove', () => {
  it('refuses the name of another deployment, another account or Region, and unknown arguments', async () => {
    cloud.addDeployment();
    const refused = async (...args: string[]) => {
      const { status, stderr } = await remove(...args);
      expect(status).toBe(1);
      return stderr;
    };
    expect(await refused('deployment', '--yes', '--with-storage', 'prod')).toBe(
      '--with-storage must be the name of the deployment, gpu-endpoints, got "prod".\n',
    );
    expect(await refused('deployment', '--yes', '--env', 'prod')).toBe(
      'The deployment is in the account 210987654321, but the credentials are for 123456789012.\n',
    );
    expect(await refused('endpoint', '--yes')).toContain("missing required argument 'name'");
    expect(await refused('endpoint', 'Echo_1', '--yes')).toBe(
      'The name of the endpoint must be at most 63 lower-case letters, digits and inner hyphens, got "Echo_1".\n',
    );
    expect(await refused('endpoints', 'echo', '--yes')).toContain("unknown command 'endpoints'");
    expect(cloud.changes).toEqual([]);
  });

  it('prints its usage, with the actions that it calls', async () => {
    const { status, stdout } = await remove('deployment', '--help');
    expect(status).toBe(0);
    expect(stdout).toContain('npx gpu-endpoints remove deployment');
    const actions = stdout.slice(stdout.indexOf('AWS actions'));
    expect(cloud.operations.filter((operation) => !actions.split(/[^A-Za-z]+/).includes(operation))).toEqual([]);
  });
});
