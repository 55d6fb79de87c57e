/**
 * Follows `docs/tutorials/first-gpu-model.md` in the repository that `gpu-endpoints init` writes, with `gpu-endpoints dev`
 * in place of the deployment, a small OpenAI server in place of vLLM, and a server that answers the doctor like an
 * account. `first-gpu-model.test.ts` tests the commands that are not run here.
 */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { MINUTE } from '../../../core/limits.ts';
import { type LocalService, startService, stopService } from '../../acceptance/local-service.ts';
import { withPython } from '../../acceptance/workers/kinds-here.ts';
import { ec2List, fault, identity, json, role, startStub } from '../../bin/doctor/stub.ts';
import { copyRepository } from '../../support/repository.ts';
import { runs, succeeds } from '../../support/running.ts';
import { withoutAws } from '../../support/without-aws.ts';
import { notRun, steps } from './first-gpu-model.ts';
import { environment } from './follow.ts';
import { isWhole } from './output.ts';
import { linesOf, type Step } from './page.ts';
import { Reader } from './reader.ts';

const PAGE = 'docs/tutorials/first-gpu-model.md';
const DEPLOY = 'npx gpu-endpoints deploy --outputs-file outputs.json';
const DOCTOR = 'npx gpu-endpoints doctor';
/** Quota of instances with GPUs. */
const GPUS = 'L-DB2E81BA';
const DEPLOYMENT = 'gpu-endpoints';

const root = mkdtempSync(join(tmpdir(), 'first-gpu-model-'));
const clone = join(root, 'gpu-endpoints');
/** The repository of the team, beside the clone. */
const folder = join(root, 'team');
const closing: (() => Promise<unknown>)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

/**
 * Creates the program `vllm`, which the entry point of the example runs.
 * @returns variables of `gpu-endpoints dev`
 */
function substituteOfVllm(): Record<string, string> {
  const [programs, images] = [join(root, 'bin'), join(root, 'images.yaml')];
  const server = resolve('test/acceptance/clients/openai-server.mjs');
  mkdirSync(programs);
  writeFileSync(join(programs, 'vllm'), `#!/bin/sh\nexec '${process.execPath}' '${server}'\n`);
  chmodSync(join(programs, 'vllm'), 0o755);
  writeFileSync(images, 'vllm/vllm-openai:v0.23.0:\n  command: [vllm]\n');
  return { LOCAL_IMAGES: images, PATH: [programs, process.env.PATH].join(delimiter) };
}

/** The program of `npx gpu-endpoints dev`. */
const program = ['node_modules/gpu-endpoints/bin/cli.js', 'dev'];

/** Runs the declared stacks, and writes their outputs as `deploy` writes those of a deployment. */
async function deploy(): Promise<LocalService> {
  const service = await startService(join(folder, '.local'), { folder, program, env: substituteOfVllm() });
  const outputs = JSON.parse(readFileSync(join(service.stateDir, 'outputs.json'), 'utf8')) as Record<string, unknown>;
  const deployed = Object.entries(outputs).map(([stack, values]) => [`${DEPLOYMENT}-${stack}`, values]);
  writeFileSync(join(folder, 'outputs.json'), JSON.stringify(Object.fromEntries(deployed)));
  return service;
}

const zones = ['use1-az1', 'use1-az2'].map((zoneId, at) => ({ zoneName: `us-east-1${'ab'[at]}`, zoneId }));

/** Starts an account without a bootstrap and without a quota for GPUs, and returns functions that change it. */
async function startAccount() {
  const stub = await startStub();
  closing.push(() => stub.stop());
  const answer = (gpus: number, bootstrap: object | undefined) =>
    stub.answer({
      GetCallerIdentity: () => identity('123456789012', 'arn:aws:iam::123456789012:user/ada'),
      GetParameter: () => (bootstrap ? json({ Parameter: bootstrap }) : fault('ParameterNotFound')),
      GetServiceQuota: ({ QuotaCode }) => json({ Quota: { Value: QuotaCode === GPUS ? gpus : 1000 } }),
      GetRole: () => role('AWSServiceRoleForECS'),
      DescribeAvailabilityZones: () => ec2List('DescribeAvailabilityZones', 'availabilityZoneInfo', zones),
      DescribeSubnets: () => ec2List('DescribeSubnets', 'subnetSet', []),
      DescribeVpcs: () => ec2List('DescribeVpcs', 'vpcSet', []),
      DescribeAddresses: () => ec2List('DescribeAddresses', 'addressesSet', []),
      DescribeStacks: () => ({
        body: '<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult><Stacks/></DescribeStacksResult></DescribeStacksResponse>',
      }),
    });
  const env = {
    ...withoutAws(environment(0)),
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_REGION: 'us-east-1',
    AWS_ENDPOINT_URL: stub.url,
    // A program that succeeds in place of the container engine.
    CDK_DOCKER: 'true',
  };
  return {
    doctor: () => runs('npx', ['gpu-endpoints', 'doctor'], { cwd: folder, env }),
    isNew: () => answer(0, undefined),
    isReady: () => answer(8, { Value: '30' }),
  };
}

/** The address of the deployment on the page. The reader replaces it. */
const ADDRESS = 'https://gpu.example.com/v2';

const withAddress = (url: string) => (step: Step) =>
  step.does === 'type' ? { ...step, text: step.text.replaceAll(ADDRESS, url) } : step;

const isTyped = (step: Step, line: string) => step.does === 'type' && linesOf(step).includes(line);

/** @throws Error unless the page shows what the doctor prints */
function expectShown(step: Step | undefined, printed: string): void {
  if (step?.does === 'see' && isWhole(step.text, printed)) return;
  throw new Error(`${PAGE}:${step?.line} does not show what \`${DOCTOR}\` prints:\n${printed}`);
}

async function follow(): Promise<void> {
  mkdirSync(folder);
  copyRepository(process.cwd(), clone);
  await succeeds('npm', ['run', '--silent', 'package'], { cwd: clone, env: environment(0) });
  const account = await startAccount();
  const reader = new Reader({
    folder,
    env: { ...environment(0), AWS_REGION: 'us-east-1' },
    notRun: Object.fromEntries(notRun.map((line) => [line, 'the page says why'])),
  });
  closing.push(() => reader.close());

  const [first, second] = steps.flatMap((step, at) => (isTyped(step, DOCTOR) ? [at] : []));
  const deployed = steps.findIndex((step) => isTyped(step, DEPLOY));
  if (first === undefined || second === undefined || deployed < second)
    throw new Error(`${PAGE} must run \`${DOCTOR}\` twice, and then \`${DEPLOY}\`.`);

  await reader.follow(PAGE, steps.slice(0, first));
  account.isNew();
  const before = await account.doctor();
  expect(before.code).toBe(1);
  expectShown(steps[first + 1], before.stdout);

  await reader.follow(PAGE, steps.slice(first + 2, second));
  account.isReady();
  const after = await account.doctor();
  expect(after.code).toBe(0);
  expectShown(steps[second + 1], after.stdout);

  await reader.follow(PAGE, steps.slice(second + 2, deployed));
  const service = await deploy();
  closing.push(() => stopService(service));
  await reader.follow(PAGE, steps.slice(deployed).map(withAddress(service.JobApiUrl)));
}

if (withPython) it(`${PAGE} shows every command and file with its result`, follow, 20 * MINUTE);
else
  it(`does not follow ${PAGE}, because Python with the module venv is not installed`, () => {
    expect(withPython).toBe(false);
  });
