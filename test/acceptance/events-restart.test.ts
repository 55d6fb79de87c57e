/**
 * Tests `npm start` with an event rule, and with a table whose stream invokes a function. A kill of the service
 * loses no event.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Template } from '../../packages/emulator/cloudformation/template.ts';
import { freePort } from '../../packages/emulator/network/ports.ts';
import { endMarkedProcesses } from '../../packages/emulator/state/processes.ts';
import { eventually, functionResource, newFolder, writeAssembly } from '../../packages/emulator/test/small-service.ts';
import { operatorSettings } from './operator.ts';

const LIMIT = 60_000;

/**
 * The stream's function holds a batch after it has taken 25 changes, so that the kill always interrupts a batch. The
 * second run releases it.
 */
const code = `
const { appendFileSync, existsSync, readFileSync } = require('node:fs');
const { BEGUN, TAKEN, RELEASED } = process.env;
const isHeld = () => existsSync(TAKEN) && readFileSync(TAKEN, 'utf8').split('\\n').length > 25 && !existsSync(RELEASED);
exports.changes = async ({ Records }) => {
  const ids = Records.map((record) => record.dynamodb.Keys.id.S + '\\n').join('');
  appendFileSync(BEGUN, ids);
  do await new Promise((resolve) => setTimeout(resolve, 20));
  while (isHeld());
  appendFileSync(TAKEN, ids);
};
exports.tick = async (event) => appendFileSync(process.env.TICKS, event['detail-type'] + '\\n');`;

const template = (folder: string): Template => ({
  Resources: {
    Jobs: {
      Type: 'AWS::DynamoDB::Table',
      Properties: {
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        BillingMode: 'PAY_PER_REQUEST',
        StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
      },
    },
    Dead: { Type: 'AWS::SQS::Queue' },
    // The event source mapping reads the stream with the function's role.
    Role: {
      Type: 'AWS::IAM::Role',
      Properties: { AssumeRolePolicyDocument: { Version: '2012-10-17', Statement: [] } },
    },
    Policy: {
      Type: 'AWS::IAM::Policy',
      Properties: {
        PolicyName: 'Policy',
        Roles: [{ Ref: 'Role' }],
        PolicyDocument: {
          Version: '2012-10-17',
          Statement: [
            {
              Effect: 'Allow',
              Action: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
              Resource: { 'Fn::GetAtt': ['Jobs', 'StreamArn'] },
            },
            { Effect: 'Allow', Action: 'dynamodb:ListStreams', Resource: '*' },
            { Effect: 'Allow', Action: 'sqs:SendMessage', Resource: { 'Fn::GetAtt': ['Dead', 'Arn'] } },
          ],
        },
      },
    },
    Ledger: functionResource('changes', {
      Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
      Timeout: 300,
      Environment: {
        Variables: Object.fromEntries(
          ['begun', 'taken', 'released'].map((name) => [name.toUpperCase(), join(folder, name)]),
        ),
      },
    }),
    Sweeper: functionResource('tick', { Environment: { Variables: { TICKS: join(folder, 'ticks') } } }),
    Mapping: {
      Type: 'AWS::Lambda::EventSourceMapping',
      // The properties that the CDK generates.
      Properties: {
        BatchSize: 5,
        BisectBatchOnFunctionError: true,
        DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': ['Dead', 'Arn'] } } },
        EventSourceArn: { 'Fn::GetAtt': ['Jobs', 'StreamArn'] },
        FilterCriteria: { Filters: [{ Pattern: '{"eventName":["INSERT"]}' }] },
        FunctionName: { Ref: 'Ledger' },
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        MaximumBatchingWindowInSeconds: 0,
        MaximumRecordAgeInSeconds: 3600,
        MaximumRetryAttempts: 5,
        StartingPosition: 'TRIM_HORIZON',
      },
    },
    Rule: {
      Type: 'AWS::Events::Rule',
      Properties: {
        ScheduleExpression: 'rate(1 hour)',
        State: 'ENABLED',
        Targets: [{ Arn: { 'Fn::GetAtt': ['Sweeper', 'Arn'] }, Id: 'Target0' }],
      },
    },
  },
});

let folder: string;
let stateDir: string;
let child: ChildProcess | undefined;

beforeEach(() => {
  folder = newFolder();
  stateDir = join(folder, 'state');
});
afterEach(async () => {
  child?.kill('SIGKILL');
  await endMarkedProcesses(stateDir);
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Starts the service and waits until it is ready.
 * @returns a DynamoDB client for the tables of this run
 */
async function start(): Promise<DynamoDBClient> {
  const assembly = writeAssembly(join(folder, 'assembly'), { Only: template(folder) }, code);
  // Removes the outputs file that a killed run left behind.
  rmSync(join(stateDir, 'outputs.json'), { force: true });
  const env = { ...process.env, PORT: String(await freePort()), LOCAL_STATE_DIR: stateDir };
  const started = spawn(process.execPath, ['bin/start/main.mjs', '--assembly', assembly], { env, stdio: 'ignore' });
  child = started;
  const isOver = () => existsSync(join(stateDir, 'outputs.json')) || started.exitCode !== null;
  await eventually('it is ready', isOver, LIMIT);
  expect(started.exitCode).toBeNull();
  return new DynamoDBClient({ ...operatorSettings(stateDir), maxAttempts: 1 });
}

const lines = (name: string) =>
  existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8').trim().split('\n') : [];

function storedPositions(): number[] {
  const file = join(stateDir, 'stream-checkpoints.json');
  if (!existsSync(file)) return [];
  const readers = JSON.parse(readFileSync(file, 'utf8')) as Record<string, { readonly position: number }>;
  return Object.values(readers).map(({ position }) => position);
}

it(
  'every acknowledged change reaches the function despite kill -9, and rules fire at each start',
  async () => {
    const acknowledged: string[] = [];
    const write = async (dynamodb: DynamoDBClient, writer: string) => {
      for (let n = 0; ; n += 1) {
        const id = `${writer}-${n}`;
        await dynamodb.send(new PutItemCommand({ TableName: 'Only-Jobs', Item: { id: { S: id } } }));
        acknowledged.push(id);
      }
    };
    const first = await start();
    const writing = Promise.allSettled(['a', 'b'].map((writer) => write(first, writer)));
    const isAtWork = () => {
      const taken = lines('taken').length;
      const isStored = storedPositions().some((position) => position >= taken);
      const hasTicked = lines('ticks').length > 0;
      return hasTicked && isStored && taken >= 25 && lines('begun').length > taken && acknowledged.length > taken;
    };
    await eventually('the function has handled some changes, and a batch is in progress', isAtWork);
    child?.kill('SIGKILL');
    await writing;
    // Unread records are left because the function holds a batch.
    const before = lines('taken');
    expect(before.length).toBeLessThan(acknowledged.length);

    writeFileSync(join(folder, 'released'), '');
    const second = await start();
    await second.send(new PutItemCommand({ TableName: 'Only-Jobs', Item: { id: { S: 'last' } } }));
    await eventually('the function has handled the last change', () => lines('taken').includes('last'), LIMIT);
    const taken = lines('taken');
    expect(acknowledged.filter((id) => !taken.includes(id))).toEqual([]);
    // The second run continued from the stored position, and repeated only the newest changes.
    const repeated = before.filter((id) => taken.indexOf(id, before.length) >= 0);
    expect(repeated.length).toBeLessThan(before.length);
    expect(repeated).toEqual(before.slice(before.length - repeated.length));
    expect(taken.length - new Set(taken).size).toBe(repeated.length);
    await eventually('the rule has fired in the second run', () => lines('ticks').length > 1, LIMIT);
    expect(lines('ticks')).toEqual(['Scheduled Event', 'Scheduled Event']);

    const running = child;
    running?.kill('SIGINT');
    if (running && running.exitCode === null) await once(running, 'exit');
    expect(running?.exitCode).toBe(0);
  },
  4 * LIMIT,
);
