/** Runs `npx gpu-endpoints stacks` as a process, against a server that answers as CloudFormation does. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ComparedStack } from '../../bin/stacks/compare.ts';
import type { Drift } from '../../core/templates/template.ts';
import { templateOf } from '../templates/settings.ts';
import { parseOutput } from './command-output.ts';
import { type Answer, type Stub, startStub } from './doctor/stub.ts';

const CANARY = 'canary-31fe';
const CLOUDFORMATION = 'http://cloudformation.amazonaws.com/doc/2010-05-15/';
const home = mkdtempSync(join(tmpdir(), 'gpu-endpoints-stacks-'));

interface Member {
  readonly name: string;
  readonly description: string;
  readonly table?: string;
}

const outputsOf = (table: string) =>
  `<Outputs><member><OutputKey>TemplatesTable</OutputKey><OutputValue>${table}</OutputValue></member></Outputs>`;
const member = ({ name, description, table }: Member) =>
  `<member><StackName>${name}</StackName><Description>${description}</Description><StackStatus>CREATE_COMPLETE</StackStatus><CreationTime>2026-01-01T00:00:00Z</CreationTime>${table ? outputsOf(table) : ''}</member>`;

const page = (stacks: readonly Member[], next = ''): Answer => ({
  body: `<DescribeStacksResponse xmlns="${CLOUDFORMATION}"><DescribeStacksResult><Stacks>${stacks.map(member).join('')}</Stacks>${next && `<NextToken>${next}</NextToken>`}</DescribeStacksResult></DescribeStacksResponse>`,
});
const refusal: Answer = {
  status: 403,
  body: `<ErrorResponse xmlns="${CLOUDFORMATION}"><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>No.</Message></Error></ErrorResponse>`,
};

const shared = [
  { name: 'gpu-endpoints-Storage', description: 'gpu-endpoints: tables' },
  { name: 'gpu-endpoints-Fleet', description: 'gpu-endpoints: network and cluster' },
  { name: 'gpu-endpoints-Platform', description: 'gpu-endpoints: job interface' },
  { name: 'gpu-endpoints-Management', description: 'gpu-endpoints: management interface' },
];
const website = { name: 'gpu-endpoints-Endpoint-website', description: 'The website of another project' };
const gone = { name: 'gpu-endpoints-Endpoint-gone', description: 'gpu-endpoints: endpoint gone' };

let stub: Stub;
beforeAll(async () => {
  stub = await startStub();
});
afterAll(async () => {
  await stub.stop();
  rmSync(home, { recursive: true });
});

/** @param credentials whether the environment contains credentials */
function stacks(args: readonly string[], credentials = true) {
  // Validation is off and modules are compiled, so a synthesis takes a third: `test/runner/before-all-files.ts`.
  const { PATH, CDK_VALIDATION, NODE_COMPILE_CACHE, DECLARATIONS } = process.env;
  const keys = { AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'the-secret-access-key' };
  const place = { AWS_REGION: 'eu-west-1', AWS_ENDPOINT_URL: stub.url, AWS_EC2_METADATA_DISABLED: 'true' };
  const inherited = { PATH, CDK_VALIDATION, NODE_COMPILE_CACHE, DECLARATIONS };
  const env = { ...inherited, HOME: home, ...place, ...(credentials && keys) };
  const { promise, resolve } = Promise.withResolvers<{ status: number; stdout: string; stderr: string }>();
  execFile(process.execPath, ['bin/cli.ts', 'stacks', ...args], { env }, (error, stdout, stderr) =>
    resolve({ status: Number(error?.code ?? 0), stdout, stderr }),
  );
  return promise;
}

describe('gpu-endpoints stacks', () => {
  it('prints the command that removes an endpoint that is deployed but not in Git, and exits with 1', async () => {
    stub.answer({
      DescribeStacks: ({ NextToken }) => (NextToken === 'two' ? page([gone]) : page([...shared, website], 'two')),
    });
    const { status, stdout, stderr } = await stacks([]);
    expect(stderr).toBe('');
    expect(stdout).toContain('not declared       gpu-endpoints-Endpoint-gone: CREATE_COMPLETE\n');
    expect(stdout).toContain('   remove: npx gpu-endpoints remove endpoint gone\n');
    expect(stdout).not.toContain('Endpoint-website');
    expect(status).toBe(1);
  });

  it('compares only the deployment of the context, and exits with 0 if all its stacks are in Git', async () => {
    const prod = shared.map(({ name, description }) => ({ name: name.replace('gpu-endpoints', 'prod'), description }));
    stub.answer({ DescribeStacks: () => page([...prod, ...shared, website]) });
    const { status, stdout } = await stacks(['--json', '-c', 'deployment=prod']);
    const { stacks: listed, drift } = parseOutput<{ stacks: ComparedStack[]; drift: object[] }>('stacks', stdout);
    expect(listed.map(({ name, state }) => [name, state])).toEqual([
      ['prod-Endpoint-echo', 'not deployed'],
      ['prod-Endpoint-echo-http', 'not deployed'],
      ['prod-Endpoint-echo-sdk', 'not deployed'],
      ['prod-Fleet', 'declared'],
      ['prod-Management', 'declared'],
      ['prod-Platform', 'declared'],
      ['prod-Storage', 'declared'],
      ['prod-Templates', 'not deployed'],
      ['gpu-endpoints-Storage', 'other deployment'],
      ['gpu-endpoints-Fleet', 'other deployment'],
      ['gpu-endpoints-Platform', 'other deployment'],
      ['gpu-endpoints-Management', 'other deployment'],
    ]);
    expect(listed[0]?.fix).toEqual(['npx gpu-endpoints deploy Endpoint-echo -c deployment=prod']);
    expect(drift).toEqual([]);
    expect(status).toBe(0);
  });

  describe('with templates that clients have changed', () => {
    const at = Date.parse('2026-01-01T12:00:00.000Z');
    const by = { kind: 'key', id: '0a1b2c', name: 'ci' } as const;
    const drift: Drift[] = [
      { field: 'imageName', declared: 'team/worker:1', by, at },
      {
        field: 'env',
        declared: { TOKEN: CANARY },
        by: { kind: 'user', id: 'u', name: 'ada' },
        at,
        reason: 'Incident 7',
      },
    ];
    const drifted = { id: 'endpoint-echo', origin: 'endpoint', env: { TOKEN: CANARY }, drift } as const;
    const items = [templateOf(), templateOf(drifted)].map((item) =>
      marshall({ collection: 'templates', item: item.id, ...item }),
    );
    const withTable = shared.map((stack) =>
      stack.name.endsWith('Platform') ? { ...stack, table: 'the-table' } : stack,
    );
    const query: Answer = { body: JSON.stringify({ Items: items, Count: items.length }) };
    const lines = [
      '  endpoints/echo.yaml: imageName, changed by the key ci at 2026-01-01T12:00:00.000Z\n',
      '  endpoints/echo.yaml: env, changed by the user ada at 2026-01-01T12:00:00.000Z ("Incident 7")\n',
    ].join('');

    it('prints each field with its file, the caller, the time and the reason, but no value, and exits with 1', async () => {
      let table: unknown;
      stub.answer({
        DescribeStacks: () => page(withTable),
        Query: ({ TableName }) => {
          table = TableName;
          return query;
        },
      });
      const { status, stdout, stderr } = await stacks([]);
      expect(stderr).toBe('');
      expect(stdout).toContain(`\nDrift: these fields differ from their files.`);
      expect(stdout).toContain(lines);
      expect(stdout).toContain('To return to the files now: npx gpu-endpoints stacks --take-back\n');
      expect(stdout).not.toContain(CANARY);
      expect([status, table]).toEqual([1, 'the-table']);
      const { stdout: json } = await stacks(['--json']);
      expect(parseOutput<{ drift: object[] }>('stacks', json).drift).toEqual([
        {
          file: 'endpoints/echo.yaml',
          template: 'endpoint-echo',
          field: 'imageName',
          by,
          at: '2026-01-01T12:00:00.000Z',
        },
        expect.objectContaining({ field: 'env', reason: 'Incident 7' }),
      ]);
      expect(json).not.toContain(CANARY);
    });

    it('takes them back with --take-back, and exits with 0', async () => {
      const written: unknown[] = [];
      const write = (members: object): Answer => {
        written.push(members);
        return { body: '{}' };
      };
      stub.answer({
        DescribeStacks: () => page(withTable),
        Query: () => query,
        GetItem: () => ({ body: JSON.stringify({ Item: items[1] }) }),
        TransactWriteItems: write,
        PutItem: write,
      });
      const { status, stdout } = await stacks(['--take-back']);
      expect(stdout).toContain(`\nTaken back: these fields have the values of their files again.\n${lines}`);
      expect(status).toBe(0);
      expect(written).toHaveLength(1);
      const text = JSON.stringify(written);
      expect(text).toContain('"imageName":{"S":"team/worker:1"}');
      expect(text).not.toContain('drift');
    });

    it('exits with 1 and the reason if AWS refuses to read the table', async () => {
      const refused = { status: 400, body: '{"__type":"com.amazon.coral.service#AccessDeniedException"}' };
      stub.answer({ DescribeStacks: () => page(withTable), Query: () => refused });
      expect(await stacks([])).toMatchObject({
        status: 1,
        stderr: 'The credentials may not call dynamodb:Query.\n',
      });
    });
  });

  it('exits with 1 and the reason if AWS refuses the call, or if there are no credentials', async () => {
    stub.answer({ DescribeStacks: () => refusal });
    expect(await stacks([])).toEqual({
      status: 1,
      stdout: '',
      stderr: 'The credentials may not call cloudformation:DescribeStacks.\n',
    });
    const stderr = 'The AWS credentials could not be loaded: run `aws sso login`, or set AWS_PROFILE.\n';
    expect(await stacks([], false)).toEqual({ status: 1, stdout: '', stderr });
  });

  it('prints its usage', async () => {
    expect(await stacks(['--help'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('It changes nothing without --take-back.'),
    });
  });
});
