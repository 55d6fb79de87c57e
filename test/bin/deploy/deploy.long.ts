/** Runs `gpu-endpoints diff`, `deploy` and `destroy` as processes, over a small app. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startCloudFormation } from './scripted-cloudformation.ts';

const APP = `
import { App, CfnOutput, CfnResource, LegacyStackSynthesizer, Stack } from 'aws-cdk-lib';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
console.error('Bundling asset Platform/Function/Code/Stage...');
console.error('The app runs.');
const app = new App();
const stack = (id) => new Stack(app, id, { synthesizer: new LegacyStackSynthesizer() });
const [storage, platform] = [stack('Storage'), stack('Platform')];
platform.addStackDependency(storage);
new CfnResource(storage, 'Topic', { type: 'AWS::SNS::Topic' });
new CfnOutput(storage, 'Environment', { value: app.node.tryGetContext('environment') ?? 'none' });
if (process.env.WITH_ROLE) {
  const assumedBy = new ServicePrincipal('lambda.amazonaws.com');
  new Role(platform, 'Role', { assumedBy, managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('ReadOnlyAccess')] });
} else new CfnResource(platform, 'Queue', { type: 'AWS::SQS::Queue' });
`;

const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-deploy-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'app.mjs'), APP);
writeFileSync(join(folder, 'cdk.json'), JSON.stringify({ app: 'node app.mjs', versionReporting: false, context: {} }));
symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));

let cloudFormation: Awaited<ReturnType<typeof startCloudFormation>>;
beforeEach(async () => {
  cloudFormation = await startCloudFormation();
});
afterEach(() => cloudFormation.close());

const cli = resolve('bin/cli.ts');

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the command. Without more variables, it has no credentials. */
function start(args: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = folder) {
  const own = { PATH: process.env.PATH, HOME: folder, AWS_EC2_METADATA_DISABLED: 'true', NO_COLOR: '1' };
  return spawn(process.execPath, [cli, ...args], {
    cwd,
    env: { ...own, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function run(...started: Parameters<typeof start>): Promise<Ran> {
  const child = start(...started);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: child.exitCode, stdout, stderr };
}
const runInAccount = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  run(args, { ...cloudFormation.env, ...env });

describe('gpu-endpoints diff', () => {
  it('prints what a deployment of an environment would create', async () => {
    const { code, stdout } = await runInAccount(['diff', 'Storage', '--env', 'prod']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('[+] AWS::SNS::Topic Topic')]);
    expect(stdout).toContain('{"Value":"prod"}');
    expect(stdout).toContain('Number of stacks with differences: 1');
    expect(cloudFormation.names()).toEqual([]);
  });

  it('compares a stack with a template file, without credentials', async () => {
    const [same, other] = ['same.json', 'other.json'].map((name) => join(folder, name));
    const topic = { Type: 'AWS::SNS::Topic', Metadata: { 'aws:cdk:path': 'Storage/Topic' } };
    const template = { Resources: { Topic: topic }, Outputs: { Environment: { Value: 'none' } } };
    writeFileSync(String(same), JSON.stringify(template));
    writeFileSync(String(other), JSON.stringify({ ...template, Resources: { Old: topic } }));
    const none = await run(['diff', 'Storage', '--template', String(same)]);
    expect([none.code, none.stdout]).toEqual([0, expect.stringContaining('stacks with differences: 0')]);
    const one = await run(['diff', 'Storage', '--template', String(other)]);
    expect([one.code, one.stdout]).toEqual([0, expect.stringContaining('Topic Old destroy')]);
  });
});

describe('gpu-endpoints deploy', () => {
  it('deploys a stack after those that it depends on, and writes their outputs', async () => {
    const file = join(folder, 'outputs.json');
    const { code, stderr } = await runInAccount([
      'deploy',
      'Platform',
      '-c',
      'environment=test',
      '--outputs-file',
      file,
    ]);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/Storage: deploying.*Platform: deploying/s)]);
    expect(cloudFormation.names()).toEqual(['Storage', 'Platform']);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ Storage: { Environment: 'test' } });
  });

  it('deploys broader permissions only with an approval, which --yes gives', async () => {
    const withRole = { WITH_ROLE: 'true' };
    const { code, stderr } = await runInAccount(['deploy'], withRole);
    expect([code, stderr]).toEqual([2, expect.stringContaining('There is no terminal to ask on. Use --yes to agree.')]);
    expect(stderr).toContain('ReadOnlyAccess');
    expect(cloudFormation.names()).toEqual(['Storage']);
    const agreed = await runInAccount(['deploy', '--yes'], withRole);
    expect(agreed).toEqual({ ...agreed, code: 0, stderr: expect.stringContaining('Platform: deploying') });
    expect(cloudFormation.names()).toEqual(['Storage', 'Platform']);
  });

  it('exits with 130 on Ctrl-C, and says that CloudFormation continues', async () => {
    cloudFormation.neverEnd();
    const child = start(['deploy', 'Storage'], cloudFormation.env);
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      stderr += part;
      if (stderr.includes('Storage: deploying')) child.kill('SIGINT');
    });
    child.stdout.resume();
    await once(child, 'close');
    expect([child.exitCode, stderr]).toEqual([130, expect.stringContaining('CloudFormation continues')]);
  });

  it('names the stacks if there is none with the name', async () => {
    const { code, stderr } = await runInAccount(['deploy', 'Platform', 'Storag']);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('There is no stack "Storag"; the stacks are: Storage, Platform.\n'),
    ]);
    expect(stderr).not.toContain('Bundling');
    expect(cloudFormation.calls.filter((call) => call !== 'GetCallerIdentity')).toEqual([]);
  });

  it.each(['deploy', 'diff'])('says how to get credentials before a synthesis: %s', async (command) => {
    const { code, stderr } = await run([command]);
    expect(stderr).not.toContain('The app runs.');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^This command needs AWS credentials: aws sso login, or .+ AWS_PROFILE=NAME\.$/m),
    ]);
  });

  it('refuses a folder without an app', async () => {
    const { code, stderr } = await run(['deploy'], {}, tmpdir());
    const file = join(tmpdir(), 'cdk.json');
    expect([code, stderr]).toEqual([1, `There is no ${file}: run the command in the folder of your CDK app.\n`]);
  });
});

describe('gpu-endpoints destroy', () => {
  it('deletes a stack and those that depend on it, only with an agreement', async () => {
    await runInAccount(['deploy']);
    const refused = await runInAccount(['destroy', 'Storage']);
    const sentence = 'Nothing is deleted: there is no terminal to ask on. Use --yes to agree.\n';
    expect([refused.code, refused.stderr]).toEqual([2, sentence]);
    expect(cloudFormation.names()).toEqual(['Storage', 'Platform']);
    expect(await runInAccount(['destroy', 'Storage', '--yes'])).toMatchObject({ code: 0 });
    expect(cloudFormation.names()).toEqual([]);
    expect(cloudFormation.calls.filter((call) => call.startsWith('DeleteStack'))).toEqual([
      'DeleteStack Platform',
      'DeleteStack Storage',
    ]);
  });
});
