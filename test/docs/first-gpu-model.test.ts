/**
 * Tests the parts of `docs/tutorials/first-gpu-model.md` that need no service: its prices, and the commands that its
 * long test cannot run, because they need an AWS account. `packages/lab/rehearsal/tutorial.test.ts` tests those of the
 * CDK.
 */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Cloud, startCloud } from '../bin/remove/cloud.ts';
import { removeIn } from '../bin/remove/command.ts';
import { costsIn, costTable } from '../examples/gpu-costs.ts';
import { tutorialCosts } from './tutorials/first-gpu-costs.ts';
import { listed, notRun, page, standsFor, typed } from './tutorials/first-gpu-model.ts';

const read = (file: string) => readFileSync(file, 'utf8');
const REMOVE = 'npx gpu-endpoints remove ';
const needsAnAccount = (line: string) => /^(?:aws|npx cdk) /.test(line) || line.startsWith(REMOVE);

const argsOf = (line: string) => line.split(' ').map((word) => word.replaceAll("'", ''));

it('has the prices of examples/vllm, and a total of two hours that end in removal', () => {
  expect(costsIn(page)).toBe(costTable(tutorialCosts()));
});

describe('the list of commands that the test does not run', () => {
  it('contains every command that needs an account', () => {
    expect(typed.filter((line) => needsAnAccount(line) && !notRun.includes(line))).toEqual([]);
  });

  it('contains only commands of the page', () => {
    expect(listed.length).toBeGreaterThan(0);
    expect(listed.filter((command) => !typed.some((line) => standsFor(command, line)))).toEqual([]);
  });
});

describe('the commands that remove', () => {
  let cloud: Cloud;
  beforeAll(async () => {
    cloud = await startCloud();
    cloud.addDeployment(['llm']);
  });
  afterAll(() => cloud.stop());

  it.each(typed.filter((line) => line.startsWith(REMOVE)))('show what they delete, and ask: %s', async (line) => {
    const [, , , ...args] = argsOf(line);
    expect(await removeIn(cloud, mkdtempSync(join(tmpdir(), 'first-gpu-model-')), args)).toMatchObject({
      status: 2,
      stdout: expect.stringContaining('Delete gpu-endpoints-Endpoint-llm'),
    });
  });
});

it('requests the quota with the command that the doctor prints, for fewer vCPUs', () => {
  const request = typed.find((line) => line.startsWith('aws service-quotas ')) ?? '';
  const [, printed = '', vcpus] = /, or (aws service-quotas .*--desired-value )(\d+)$/m.exec(page) ?? [];
  expect(request).toMatch(/--desired-value \d+$/);
  expect(request.startsWith(printed)).toBe(true);
  expect(Number(request.slice(printed.length))).toBeLessThan(Number(vcpus));
});

describe('the commands of AWS that change users or stacks', () => {
  const guides = ['docs/guides/sign-in.md', 'docs/guides/remove.md'].map(read).join('\n');
  /** Guides break long commands. */
  const commands = guides.replaceAll(/ \\\n +/g, ' ');

  it.each(typed.filter((line) => /^aws (?:cognito-idp|cloudformation) /.test(line)))(
    'are those of the guides: %s',
    (line) => {
      expect(commands.split('\n').map((command) => command.trim())).toContain(line);
    },
  );
});
