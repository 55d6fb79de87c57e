/** Runs `npx gpu-endpoints doctor` as a process without credentials. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Finding } from '../../bin/doctor/finding.ts';
import { parseOutput } from './command-output.ts';

const home = mkdtempSync(join(tmpdir(), 'gpu-endpoints-doctor-'));
afterAll(() => rmSync(home, { recursive: true }));

const doctor = (...args: string[]) => doctorIn('eu-west-1', ...args);

function doctorIn(region: string, ...args: string[]) {
  // Validation is off and modules are compiled, so a synthesis takes a third: `test/runner/before-all-files.ts`.
  const { PATH, CDK_VALIDATION, NODE_COMPILE_CACHE, DECLARATIONS } = process.env;
  // An empty home, and no metadata service that could return the role of an instance.
  const env = {
    PATH,
    CDK_VALIDATION,
    NODE_COMPILE_CACHE,
    DECLARATIONS,
    HOME: home,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_REGION: region,
    CDK_DOCKER: 'true',
  };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/cli.ts', 'doctor', ...args], {
    encoding: 'utf8',
    env,
  });
  return { status, stdout, stderr };
}

describe('gpu-endpoints doctor', () => {
  it('reports missing credentials, and runs the checks that need none', () => {
    const { status, stdout, stderr } = doctor('--json');
    expect(stderr).toBe('');
    const levels = parseOutput<{ findings: Finding[] }>('doctor', stdout).findings.map(({ check, level }) => [
      check,
      level,
    ]);
    expect(levels).toEqual([
      ['Node', 'ok'],
      ['CDK command', 'ok'],
      ['Stacks', 'ok'],
      ['Region', 'ok'],
      ['Credentials', 'problem'],
      ['Container engine', 'ok'],
      ['CDK bootstrap', 'warning'],
      ['Stack names', 'warning'],
      ['ECS service-linked role', 'warning'],
      // This check needs no credentials, because the size of the ingress is in the stacks.
      ['Calls that wait', 'ok'],
      ['Zones of the ingress', 'warning'],
      ['Quota: VPCs per Region', 'warning'],
      ['Quota: EC2-VPC Elastic IPs', 'warning'],
      ['Quota: Lambda concurrent executions', 'warning'],
      ['Quota: Fargate On-Demand vCPU resource count', 'warning'],
      ['Budgets of API keys', 'ok'],
    ]);
    expect(stdout).toContain('The AWS credentials could not be loaded: run `aws sso login`, or set AWS_PROFILE.');
    expect(status).toBe(1);
  });

  it('reports the Region of the environment, which AWS_REGION must not contradict', () => {
    const { stdout } = doctorIn('us-east-1', '--json', '--env', 'example');
    const region = (JSON.parse(stdout) as { findings: Finding[] }).findings.find(({ check }) => check === 'Region');
    expect(region).toMatchObject({ level: 'problem', fix: 'export AWS_REGION=eu-west-1' });
  });

  it('prints a usage that lists the checks', () => {
    const help = doctor('--help');
    expect(help).toMatchObject({ status: 0, stdout: expect.stringContaining('Changes nothing.') });
    expect(help.stdout).toContain('iam:GetRole');
    expect(doctor('--fast')).toMatchObject({ status: 1, stderr: expect.stringContaining("unknown option '--fast'") });
  });
});
