import { spawnSync } from 'node:child_process';
import { beforeAll, expect, it } from '@jest/globals';
import { useEmulatedDeployment } from '../../support/use-emulated-deployment.ts';
import { parseOutput } from '../command-output.ts';

const emulated = useEmulatedDeployment();

beforeAll(() => emulated.deploy('echo'));

function resume(...args: string[]) {
  const command = ['bin/cli.ts', 'endpoints', 'resume', ...args, '--table', 'ENDPOINTS_TABLE'];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8', env: process.env });
  return { status, stdout, stderr };
}

it('says that the endpoint starts workers again, and whether it had backed off', () => {
  const sentence = 'echo starts workers again. It had not backed off.\n';
  expect(resume('echo')).toEqual({ status: 0, stdout: sentence, stderr: '' });
  const { stdout } = resume('echo', '--json');
  expect(parseOutput('endpoints resume', stdout)).toEqual({ id: 'echo', backedOff: false });
});

it('is refused for an endpoint that does not exist', () => {
  const { status, stderr } = resume('ecko');
  expect([status, stderr]).toEqual([1, 'There is no endpoint `ecko` in this deployment.\n']);
});
