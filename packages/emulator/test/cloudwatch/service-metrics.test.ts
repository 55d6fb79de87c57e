/** Tests the metrics that the emulated services have in AWS, and the minutes in which alarms are evaluated. */
import { join } from 'node:path';
import { PurgeQueueCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createEmbeddedReader } from '../../cloudwatch/embedded.ts';
import { createFunctionMetrics } from '../../cloudwatch/function-metrics.ts';
import { createMetrics, type Dimensions, type Metrics, MINUTE } from '../../cloudwatch/metrics.ts';
import { startMonitoring } from '../../cloudwatch/monitoring.ts';
import { createFunctions } from '../../functions/functions.ts';
import type { TargetGroup } from '../../load-balancer/target-group.ts';
import { type SmallProxy, startSmallProxy } from '../aws-proxy/small-proxy.ts';
import { fakeClock } from '../ecs/test-clock.ts';
import { resources } from '../gateway/small-api.ts';
import { eventually, functionResource, newFolder, startSmallService } from '../small-service.ts';

/** Returns a statistic of all values until now. */
const statistic = (metrics: Metrics, namespace: string, name: string, dimensions: Dimensions, stat = 'Sum') =>
  metrics.read({ namespace, name, dimensions }, stat, Date.now() - 10 * MINUTE, Date.now() + MINUTE);

/** Logs a metric, and fails if it is asked to. */
const code = `
exports.handler = async (event) => {
  const Metrics = [{ Name: 'notes' }];
  const _aws = { Timestamp: Date.now(), CloudWatchMetrics: [{ Namespace: 'notes', Dimensions: [[]], Metrics }] };
  console.log(JSON.stringify({ _aws, notes: 7 }));
  if (event.queryStringParameters?.answer === 'throw') throw new Error('broken');
  return { statusCode: 404, body: '' };
};`;

describe('functions and APIs', () => {
  it('count what they do, and the metrics that functions log', async () => {
    const metrics = createMetrics();
    const functions = createFunctions({
      notify: () => undefined,
      compileCache: join(newFolder(), 'compiled'),
      metrics,
      print: createEmbeddedReader(metrics),
    });
    const Resources = { ...resources(), Handler: functionResource('handler', { FunctionName: 'handler' }) };
    const small = await startSmallService({ Notes: { Resources } }, code, { functions, metrics });
    const statuses: number[] = [];
    for (const query of ['', '', '?answer=throw'])
      statuses.push((await fetch(`${small.gatewayUrl}/v2/echo/open${query}`, { method: 'POST' })).status);
    expect(statuses).toEqual([404, 404, 502]);
    await eventually('all lines are read', () => statistic(metrics, 'notes', 'notes', {}) === 21);
    const lambda = ['Invocations', 'Errors', 'Throttles'];
    const ofFunction = lambda.map((name) => statistic(metrics, 'AWS/Lambda', name, { FunctionName: 'handler' }));
    expect(ofFunction).toEqual([3, 1, 0]);
    expect(statistic(metrics, 'AWS/Lambda', 'ConcurrentExecutions', {}, 'Maximum')).toBe(1);
    const api = { ApiName: 'small' };
    const counts = ['Count', '4XXError', '5XXError'].map((name) => statistic(metrics, 'AWS/ApiGateway', name, api));
    expect(counts).toEqual([3, 2, 1]);
    await small.stop();
    await functions.stop();
  });

  it('count calls that are throttled, and executions at the same time', () => {
    const metrics = createMetrics();
    const { begin, throttle } = createFunctionMetrics(metrics);
    const [first, second] = ['one', 'two'].map((name) => begin(`arn:aws:lambda:us-east-1:1:function:${name}`));
    throttle('arn:aws:lambda:us-east-1:1:function:one');
    first?.(true);
    second?.(false);
    const one = { FunctionName: 'one' };
    expect(statistic(metrics, 'AWS/Lambda', 'Throttles', one)).toBe(1);
    expect(statistic(metrics, 'AWS/Lambda', 'Throttles', { FunctionName: 'two' })).toBe(0);
    expect(statistic(metrics, 'AWS/Lambda', 'ConcurrentExecutions', one, 'Maximum')).toBe(1);
    expect(statistic(metrics, 'AWS/Lambda', 'ConcurrentExecutions', {}, 'Maximum')).toBe(2);
    expect(statistic(metrics, 'AWS/Lambda', 'Errors', {}, 'Average')).toBe(0.5);
  });
});

describe('each minute', () => {
  let small: SmallProxy;
  beforeAll(async () => {
    small = await startSmallProxy();
  });
  afterAll(() => small.stop());

  it('measures queues and healthy targets, then evaluates the alarms', async () => {
    const sqs = small.sqs();
    const clock = fakeClock();
    const begin = clock.now();
    await clock.pass(10_000);
    const since = clock.now();
    const metrics = createMetrics(clock.now);
    const evaluated: number[] = [];
    const listeners = new Set(['arn:aws:elasticloadbalancing:us-east-1:1:listener/app/Notes/1a/2b']);
    const group = { arn: 'arn:aws:elasticloadbalancing:us-east-1:1:targetgroup/Notes/3c', listeners, healthy: () => 2 };
    const stop = startMonitoring(
      {
        sqs,
        proxyUrl: small.proxy.url,
        queues: new Set(['jobs', 'missing']),
        loadBalancers: { loadBalancers: new Map(), targetGroups: new Map([[group.arn, group as TargetGroup]]) },
        metrics,
        alarms: { declare: String, list: () => [], evaluate: (since) => void evaluated.push(since) },
      },
      clock,
    );
    await sqs.send(new SendMessageCommand({ QueueUrl: small.queueUrl, MessageBody: 'a note' }));
    await clock.pass(50_000);
    expect(evaluated).toEqual([]);
    // The last lines of a minute arrive after its end.
    await clock.pass(5_000);
    await eventually('the minute is evaluated', () => evaluated.length === 1);
    const read = (namespace: string, name: string, dimensions: Dimensions) =>
      metrics.read({ namespace, name, dimensions }, 'Maximum', begin, begin + MINUTE);
    expect(read('AWS/SQS', 'ApproximateNumberOfMessagesVisible', { QueueName: 'jobs' })).toBe(1);
    expect(read('AWS/SQS', 'ApproximateNumberOfMessagesVisible', { QueueName: 'missing' })).toBeUndefined();
    const target = { LoadBalancer: 'app/Notes/1a', TargetGroup: 'targetgroup/Notes/3c' };
    expect(read('AWS/ApplicationELB', 'HealthyHostCount', target)).toBe(2);

    // After a machine was suspended, the first evaluation has the time since then only.
    await clock.pass(60 * MINUTE);
    await eventually('the time after the pause is evaluated', () => evaluated.length === 2);
    expect(evaluated).toEqual([since, clock.now()]);
    stop();
    await clock.pass(2 * MINUTE);
    expect(evaluated).toHaveLength(2);
    await sqs.send(new PurgeQueueCommand({ QueueUrl: small.queueUrl }));
  });
});

it('keeps the values of a day', () => {
  let now = Date.UTC(2030, 0, 1);
  const metrics = createMetrics(() => now);
  const read = (from: number, to = now) =>
    metrics.read({ namespace: 'notes', name: 'a', dimensions: {} }, 'Sum', from, to);
  const begin = now;
  metrics.put('notes', {}, { a: [1, Number.NaN, 2] });
  metrics.put('notes', {}, { a: 4 }, begin - 25 * 60 * MINUTE);
  metrics.put('notes', {}, { a: 4 }, begin + 3 * 60 * MINUTE);
  now += 25 * 60 * MINUTE;
  expect(read(begin)).toBe(3);
  metrics.put('notes', {}, { a: 8 });
  expect(read(begin, now + MINUTE)).toBe(8);
});
