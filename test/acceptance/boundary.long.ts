/**
 * Tests npm start with a permissions boundary on every role. One function reads the table of another project, which
 * its role allows and the boundary does not, as a merged change of a role and a function could. `permissions.long.ts`
 * uses every permission of every role within the boundary.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { assemblyWithBoundary, changeStack, type Resources } from './assembly.ts';
import {
  call,
  eventually,
  jobIn,
  type LocalService,
  newStateDir,
  startService,
  stopService,
  submit,
} from './local-service.ts';
import { type Receivers, startReceivers } from './webhooks/receivers.ts';

const FOREIGN = 'arn:aws:dynamodb:us-east-1:000000000000:table/payroll';

interface FunctionOfRole {
  readonly Environment: { readonly Variables: Record<string, unknown> };
}

interface RoleWithPolicies {
  readonly Policies: readonly { readonly PolicyDocument: { readonly Statement: object[] } }[];
}

/** Lets the function of GET /health read the table of another project, and lets its role do so. */
function readPayroll(resources: Resources): void {
  const named = (type: string) =>
    Object.entries(resources).find(([id, { Type }]) => Type === type && id.startsWith('JobsHealth'))?.[1].Properties;
  const [role, code] = [named('AWS::IAM::Role'), named('AWS::Lambda::Function')] as unknown as [
    RoleWithPolicies,
    FunctionOfRole,
  ];
  role.Policies[0]?.PolicyDocument.Statement.push({ Effect: 'Allow', Action: 'dynamodb:*', Resource: FOREIGN });
  code.Environment.Variables.WORKERS_TABLE = 'payroll';
}

let service: LocalService;
let receivers: Receivers;

beforeAll(async () => {
  const stateDir = newStateDir();
  const changed = join(stateDir, 'changed');
  cpSync(await assemblyWithBoundary(), changed, { recursive: true });
  changeStack(changed, 'Platform', readPayroll);
  receivers = await startReceivers();
  service = await startService(stateDir, { args: ['--assembly', changed] });
}, 120_000);
afterAll(async () => {
  await stopService(service);
  receivers.stop();
});

const run = async (input: string, webhook?: string, endpoint?: string) => {
  const body = `{"input":${input}${webhook === undefined ? '' : `,"webhook":${JSON.stringify(webhook)}`}}`;
  const { status, text, json } = await submit(service, body, endpoint);
  expect([status, text]).toEqual([200, expect.any(String)]);
  return String(json.id);
};

describe('a deployment whose roles have the permissions boundary', () => {
  it.each([
    ['in the item of the job', 10],
    ['in the table of payloads', 1_000],
    ['in S3', 10_000],
  ])('runs a job whose input and output are %s', async (_, size) => {
    const input = JSON.stringify({ text: 'x'.repeat(size) });
    const { text } = await jobIn(service, await run(input), 'COMPLETED');
    expect(text).toContain(`"output":${input}`);
  });

  it('streams, and lets an HTTP server run a job', async () => {
    const url = `${service.JobApiUrl}/echo`;
    const id = await run('{"op":"stream","chunks":2,"size":100}');
    await jobIn(service, id, 'COMPLETED');
    const { text } = await call(service, 'GET', `${url}/stream/${id}`);
    expect(text.split('"stream_index"')).toHaveLength(3);
    const body = '{"input":{"op":"events","chunks":1}}';
    const served = await call(service, 'POST', `${service.JobApiUrl}/echo-http/runsync?wait=60000`, { body });
    expect(served).toMatchObject({ status: 200, json: { status: 'COMPLETED' } });
  });

  it('cancels a running job, and gives secrets to a worker', async () => {
    const url = `${service.JobApiUrl}/echo`;
    const id = await run('{"op":"sleep","ms":600000}');
    await jobIn(service, id, 'IN_PROGRESS');
    expect(await call(service, 'POST', `${url}/cancel/${id}`)).toMatchObject({ status: 200 });
    await jobIn(service, id, 'CANCELLED');
    const body = '{"input":{"op":"s3"},"s3Config":{"accessSecret":"secret"}}';
    const { text } = await call(service, 'POST', `${url}/runsync?wait=60000`, { body });
    expect(text).toContain('"fields":["accessSecret"]');
  });

  it('delivers a webhook', async () => {
    await run('{}', `${receivers.url}/ok/boundary`);
    const [post] = await eventually('the webhook is delivered', () => {
      const posts = receivers.posts('/ok/boundary');
      return posts.length > 0 ? posts : undefined;
    });
    expect(JSON.parse(post?.body ?? '')).toMatchObject({ status: 'COMPLETED' });
  });
});

describe('a function whose role may read the table of another project', () => {
  it('is refused by the permissions boundary', async () => {
    const answer = await call(service, 'GET', `${service.JobApiUrl}/echo/health`);
    expect(answer).toMatchObject({ status: 500, json: { code: 'INTERNAL' } });
    const line =
      /AccessDenied: role Platform-JobsHealthRole\w{8} may not dynamodb:(\w+) on (\S+), because its permissions boundary does not allow it\n/;
    const [, , resource] = await eventually('the refusal is printed', () => line.exec(service.printed()) ?? undefined);
    expect(resource).toBe(FOREIGN);
  }, 120_000);

  it('is the only one that is refused', () => {
    const refusals = service.printed().match(/AccessDenied: .*/g) ?? [];
    expect(refusals.filter((line) => !line.includes('JobsHealthRole'))).toEqual([]);
  });
});
