/** Tests the local CloudWatch with the SDK, through the proxy. */
import * as sdk from '@aws-sdk/client-cloudwatch';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type AwsProxy, startAwsProxy } from '../../aws-proxy/server.ts';
import { createCloudwatchApi, inputs } from '../../cloudwatch/cloudwatch-api.ts';
import { MINUTE } from '../../cloudwatch/metrics.ts';
import { createPermissions } from '../../iam/permissions.ts';
import { parsePolicy } from '../../iam/statement.ts';
import { credentialsOf } from '../credentials.ts';
import { unknownMembers } from '../sdk-model.ts';
import { BEGIN, createSmallCloudwatch, failures, type SmallCloudwatch } from './small-cloudwatch.ts';

const nowhere = 'http://127.0.0.1:1';

let small: SmallCloudwatch;
let proxy: AwsProxy;
let client: sdk.CloudWatchClient;

const clientOf = (role: string) =>
  new sdk.CloudWatchClient({
    region: 'us-east-1',
    endpoint: proxy.url,
    maxAttempts: 1,
    credentials: credentialsOf(proxy, role),
  });

beforeEach(async () => {
  small = createSmallCloudwatch();
  const permissions = createPermissions();
  for (const [role, Action] of [
    ['reader', 'cloudwatch:DescribeAlarms'],
    ['stranger', 'cloudwatch:GetMetricData'],
  ] as const) {
    permissions.addRole(role);
    const Statement = [{ Effect: 'Allow' as const, Action, Resource: '*' }];
    permissions.attach(role, parsePolicy({ Version: '2012-10-17', Statement }, 'policy', 'identity'));
  }
  proxy = await startAwsProxy({
    emulators: { dynamodbUrl: nowhere, sqsUrl: nowhere, s3Url: nowhere },
    permissions,
    tables: new Map(),
    services: new Map([['monitoring', createCloudwatchApi(small.alarms, small.metrics)]]),
    notify: () => undefined,
  });
  client = clientOf('reader');
});

afterEach(() => proxy.stop());

async function namesOf(input: sdk.DescribeAlarmsCommandInput): Promise<string[][]> {
  const pages: string[][] = [];
  for await (const { MetricAlarms = [] } of sdk.paginateDescribeAlarms({ client }, input))
    pages.push(MetricAlarms.map(({ AlarmName = '' }) => AlarmName));
  return pages;
}

it('describes alarms as they were declared, with their state', async () => {
  const declared = { ...failures, Dimensions: [{ Name: 'topic', Value: 'cats' }], AlarmDescription: 'Cats fail.' };
  await small.deploy({ Cats: { ...declared, AlarmActions: ['arn:aws:sns:us-east-1:000000000000:on-call'] } });
  small.metrics.put('notes', { topic: 'cats' }, { failures: 1 });
  small.pass();
  const { MetricAlarms } = await client.send(new sdk.DescribeAlarmsCommand({ AlarmNames: ['Cats'] }));
  expect(MetricAlarms).toEqual([
    {
      ...declared,
      AlarmName: 'Cats',
      AlarmArn: 'arn:aws:cloudwatch:us-east-1:000000000000:alarm:Cats',
      TreatMissingData: 'missing',
      ActionsEnabled: true,
      AlarmActions: ['arn:aws:sns:us-east-1:000000000000:on-call'],
      OKActions: [],
      InsufficientDataActions: [],
      StateValue: 'ALARM',
      StateReason: expect.stringContaining('was greater than the threshold (0.0)'),
      StateUpdatedTimestamp: new Date(BEGIN + MINUTE),
      StateTransitionedTimestamp: new Date(BEGIN + MINUTE),
      AlarmConfigurationUpdatedTimestamp: new Date(BEGIN),
    },
  ]);
});

it('finds alarms by prefix, name and state, page by page', async () => {
  const names = ['a-1', 'a-2', 'a-3', 'b-1'];
  await small.deploy(
    Object.fromEntries(names.map((name) => [name, { ...failures, AlarmName: name, MetricName: name }])),
  );
  small.metrics.put('notes', {}, { 'a-2': 1, 'b-1': 0 });
  small.pass();
  expect(await namesOf({ MaxRecords: 2 })).toEqual([
    ['a-1', 'a-2'],
    ['a-3', 'b-1'],
  ]);
  expect(await namesOf({ AlarmNamePrefix: 'a-', MaxRecords: 2 })).toEqual([['a-1', 'a-2'], ['a-3']]);
  expect(await namesOf({ AlarmNames: ['b-1', 'c'] })).toEqual([['b-1']]);
  expect(await namesOf({ StateValue: 'ALARM' })).toEqual([['a-2']]);
  expect(await namesOf({ StateValue: 'OK', AlarmTypes: ['MetricAlarm'] })).toEqual([['b-1']]);
  expect(await namesOf({ AlarmTypes: ['CompositeAlarm'] })).toEqual([[]]);
});

it('returns the values of metrics and expressions, the newest first unless asked otherwise', async () => {
  client = clientOf('stranger');
  for (const value of [1, 2, 3]) {
    small.metrics.put('notes', {}, { failures: [value, value] });
    small.pass();
  }
  const query = (Id: string, Stat: string) => ({
    Id,
    MetricStat: { Metric: { Namespace: 'notes', MetricName: 'failures' }, Period: 60, Stat },
  });
  const range = { StartTime: new Date(BEGIN - MINUTE), EndTime: new Date(BEGIN + 3 * MINUTE) };
  const MetricDataQueries = [
    query('sum', 'Sum'),
    { ...query('count', 'SampleCount'), ReturnData: false },
    { Id: 'mean', Expression: 'sum / count', Label: 'Mean' },
  ];
  const { MetricDataResults } = await client.send(new sdk.GetMetricDataCommand({ ...range, MetricDataQueries }));
  const Timestamps = [2, 1, 0].map((n) => new Date(BEGIN + n * MINUTE));
  expect(MetricDataResults).toEqual([
    { Id: 'sum', Label: 'failures', Timestamps, Values: [6, 4, 2], StatusCode: 'Complete' },
    { Id: 'mean', Label: 'Mean', Timestamps, Values: [3, 2, 1], StatusCode: 'Complete' },
  ]);
  const ascending = { ...range, MetricDataQueries, ScanBy: 'TimestampAscending' } as const;
  const { MetricDataResults: results = [] } = await client.send(new sdk.GetMetricDataCommand(ascending));
  expect(results.map(({ Values }) => Values)).toEqual([
    [2, 4, 6],
    [1, 2, 3],
  ]);
});

it('refuses other operations, wrong input, and callers without permission', async () => {
  const nameOf = (call: Promise<unknown>) => call.then(String, (error: Error) => error.name);
  expect(await nameOf(client.send(new sdk.ListMetricsCommand({})))).toBe('UnknownOperationException');
  expect(await nameOf(client.send(new sdk.DescribeAlarmsCommand({ MaxRecords: 101 })))).toBe('ValidationException');
  expect(await nameOf(client.send(new sdk.DescribeAlarmsCommand({ AlarmNames: ['a'], AlarmNamePrefix: 'a' })))).toBe(
    'ValidationException',
  );
  const data = {
    StartTime: new Date(BEGIN),
    EndTime: new Date(BEGIN + MINUTE),
    MetricDataQueries: [{ Id: 'a', Expression: 'other', Period: 60 }],
  };
  expect(await nameOf(clientOf('stranger').send(new sdk.GetMetricDataCommand(data)))).toBe('ValidationException');
  expect(await nameOf(client.send(new sdk.GetMetricDataCommand(data)))).toBe('AccessDeniedException');
  expect(await nameOf(clientOf('stranger').send(new sdk.DescribeAlarmsCommand({})))).toBe('AccessDeniedException');
});

it.each([
  ['DescribeAlarms', inputs.DescribeAlarms, sdk.DescribeAlarmsInput$],
  ['GetMetricData', inputs.GetMetricData, sdk.GetMetricDataInput$],
])('has only members of the SDK in the input of %s', (operation, schema, model) => {
  expect(unknownMembers(schema, model, operation)).toEqual([]);
});
