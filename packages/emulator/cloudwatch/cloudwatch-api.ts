/** The operations of CloudWatch that are supported here. Any other operation is refused by name. */
import * as z from 'zod/mini';
import { arn } from '../account.ts';
import { AwsFault } from '../aws-proxy/aws-fault.ts';
import { unknownOperation } from '../aws-proxy/described.ts';
import type { JsonService } from '../aws-proxy/json-service.ts';
import type { Alarm, Alarms } from './alarms.ts';
import { MathError } from './math.ts';
import type { Metrics } from './metrics.ts';
import { compileQueries, type Query, querySchema } from './queries.ts';

const text = z.string().check(z.minLength(1));

/** Maximum values of one query in a response. AWS returns further ones in pages. */
const MAX_VALUES = 10_080;

export const inputs = {
  DescribeAlarms: z.strictObject({
    AlarmNames: z.optional(z.array(text).check(z.maxLength(100))),
    AlarmNamePrefix: z.optional(text),
    AlarmTypes: z.optional(z.array(z.enum(['MetricAlarm', 'CompositeAlarm', 'LogAlarm']))),
    StateValue: z.optional(z.enum(['OK', 'ALARM', 'INSUFFICIENT_DATA'])),
    MaxRecords: z._default(z.int().check(z.minimum(1), z.maximum(100)), 50),
    /** Name of the last alarm of the page before. */
    NextToken: z.optional(text),
  }),
  GetMetricData: z.strictObject({
    MetricDataQueries: z.array(querySchema).check(z.minLength(1), z.maxLength(500)),
    /** Seconds since 1970. */
    StartTime: z.number(),
    EndTime: z.number(),
    ScanBy: z._default(z.enum(['TimestampDescending', 'TimestampAscending']), 'TimestampDescending'),
  }),
};
type Operation = keyof typeof inputs;
type Input<Name extends Operation> = z.output<(typeof inputs)[Name]>;

/** @throws AwsFault */
function asOperation(name: string): Operation {
  if (!Object.hasOwn(inputs, name)) throw unknownOperation('CloudWatch', name);
  return name as Operation;
}

/** @throws AwsFault */
function asInput<Name extends Operation>(name: Name, input: unknown): Input<Name> {
  const parsed = z.safeParse(inputs[name], input);
  if (parsed.success) return parsed.data as Input<Name>;
  const members = parsed.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys : issue.path.join('.'),
  );
  throw new AwsFault(400, 'ValidationError', `${name} does not accept this ${members.join(', ')} here.`);
}

function faultOf(error: unknown, operation: string): unknown {
  if (!(error instanceof MathError)) return error;
  return new AwsFault(400, 'ValidationError', `${operation}: ${error.message}.`, { cause: error });
}

function describe({ definition, arn: AlarmArn, createdAt, state, reason, changedAt }: Alarm): object {
  const { Tags: _, ...properties } = definition.properties;
  return {
    ...properties,
    AlarmName: definition.name,
    AlarmArn,
    AlarmConfigurationUpdatedTimestamp: createdAt / 1000,
    StateValue: state,
    StateReason: reason,
    StateUpdatedTimestamp: changedAt / 1000,
    StateTransitionedTimestamp: changedAt / 1000,
  };
}

function describeAlarms(alarms: Alarms, input: Input<'DescribeAlarms'>): object {
  const { AlarmNames, AlarmNamePrefix = '', AlarmTypes = ['MetricAlarm'], StateValue, MaxRecords, NextToken } = input;
  if (AlarmNames && AlarmNamePrefix)
    throw new AwsFault(400, 'ValidationError', 'DescribeAlarms takes either AlarmNames or AlarmNamePrefix.');
  const matching = alarms
    .list()
    .filter(() => AlarmTypes.includes('MetricAlarm'))
    .filter(({ state }) => StateValue === undefined || state === StateValue)
    .filter(({ definition: { name } }) => name.startsWith(AlarmNamePrefix) && (AlarmNames?.includes(name) ?? true))
    .filter(({ definition: { name } }) => NextToken === undefined || name > NextToken);
  const page = matching.slice(0, MaxRecords);
  const more = page.length < matching.length && { NextToken: page.at(-1)?.definition.name };
  return { MetricAlarms: page.map(describe), CompositeAlarms: [], LogAlarms: [], ...more };
}

function getMetricData(metrics: Metrics, input: Input<'GetMetricData'>): object {
  const { MetricDataQueries, StartTime, EndTime, ScanBy } = input;
  const queries = compileQueries(MetricDataQueries, metrics);
  const { period } = queries;
  const first = StartTime * 1000 - ((StartTime * 1000) % period);
  const count = Math.max(0, Math.ceil((EndTime * 1000 - first) / period));
  if (count > MAX_VALUES) throw new MathError(`${count} periods are more than ${MAX_VALUES}`);
  const times = Array.from({ length: count }, (_, n) => first + n * period);
  if (ScanBy === 'TimestampDescending') times.reverse();
  const resultOf = ({ Id, Label, MetricStat }: Query) => {
    const points = times.flatMap((at) => {
      const value = queries.read(Id, at);
      return value === undefined ? [] : [{ at, value }];
    });
    return {
      Id,
      Label: Label ?? MetricStat?.Metric.MetricName ?? Id,
      Timestamps: points.map(({ at }) => at / 1000),
      Values: points.map(({ value }) => value),
      StatusCode: 'Complete',
    };
  };
  return { MetricDataResults: MetricDataQueries.filter(({ ReturnData }) => ReturnData).map(resultOf), Messages: [] };
}

export const createCloudwatchApi = (alarms: Alarms, metrics: Metrics): JsonService => ({
  async call(name, input) {
    const operation = asOperation(name);
    try {
      if (operation === 'DescribeAlarms') return describeAlarms(alarms, asInput(operation, input));
      return getMetricData(metrics, asInput(operation, input));
    } catch (error) {
      throw faultOf(error, name);
    }
  },

  authorization(name, input) {
    const operation = asOperation(name);
    asInput(operation, input);
    const resource = operation === 'DescribeAlarms' ? arn('cloudwatch', 'alarm:*') : '*';
    return { action: `cloudwatch:${operation}`, resource };
  },
});
