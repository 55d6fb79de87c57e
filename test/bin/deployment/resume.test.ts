import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import { useEmulatedDeployment } from '../../support/use-emulated-deployment.ts';
import { parseOutput } from '../command-output.ts';

const emulated = useEmulatedDeployment();

beforeAll(() => emulated.deploy('echo'));

const TABLE = ['--table', 'ENDPOINTS_TABLE'];

function resume(endpoint: string, args: readonly string[] = TABLE) {
  const command = ['bin/cli.ts', 'endpoints', 'resume', endpoint, ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8', env: process.env });
  return { status, stdout, stderr };
}

it('says that the endpoint starts workers again, and whether it had backed off', () => {
  const sentence = 'echo had not backed off.\n';
  expect(resume('echo')).toEqual({ status: 0, stdout: sentence, stderr: '' });
  const { stdout } = resume('echo', [...TABLE, '--json']);
  expect(parseOutput('endpoints resume', stdout)).toEqual({ id: 'echo', backedOff: false });
});

it('is refused for an endpoint that does not exist', () => {
  const { status, stderr } = resume('ecko');
  expect([status, stderr]).toEqual([1, 'There is no endpoint `ecko` in this deployment.\n']);
});

it('adds to the events of the endpoint who called it, if the outputs name the history', async () => {
  const outputs = join(mkdtempSync(join(tmpdir(), 'resume-')), 'outputs.json');
  const tables = { EndpointsTable: 'ENDPOINTS_TABLE', HistoryTable: 'HISTORY_TABLE', HistoryDays: '30' };
  writeFileSync(outputs, JSON.stringify({ 'gpu-endpoints-Platform': { Deployment: 'gpu-endpoints', ...tables } }));
  expect(resume('echo', ['--outputs', outputs])).toMatchObject({ status: 0, stderr: '' });
  const range = { endpoint: 'echo', after: '0', before: '9', isOldestFirst: false, max: 10 };
  const { rows } = await emulated.ports.eventHistory.read(range);
  // The emulators do not know the credentials.
  const { username } = userInfo();
  expect(rows).toEqual([
    { endpoint: 'echo', kind: 'RESUME', at: expect.any(Number), by: { kind: 'aws', id: username, name: username } },
  ]);
});
