import { afterEach, describe, expect, it } from '@jest/globals';
import { type BusClock, createEventBus, type Rule } from '../../events/bus.ts';
import { compilePattern } from '../../events/pattern.ts';
import { FunctionThrottled } from '../../functions/call.ts';
import { functionResource, type SmallService, startSmallService } from '../small-service.ts';

const RULE = 'arn:aws:events:us-east-1:000000000000:rule/tick';
const FUNCTION = 'arn:aws:lambda:us-east-1:000000000000:function:fleet';
const task = { source: 'aws.ecs', 'detail-type': 'ECS Task State Change', detail: { lastStatus: 'STOPPED' } };

/** Creates a bus whose clock stands still until a test advances it. */
function testBus(invoke: (event: object) => Promise<unknown> = async () => null) {
  const events: object[] = [];
  const pauses: number[] = [];
  const notices: string[] = [];
  const timers: { readonly period: number; readonly task: () => void }[] = [];
  const clock: BusClock = {
    now: () => Date.UTC(2026, 10, 21, 12, 30, 15, 500),
    every: (period, run) => timers.push({ period, task: run }),
    async pause(milliseconds) {
      pauses.push(milliseconds);
    },
  };
  const functions = {
    async invoke(_: string, event: object) {
      events.push(event);
      return JSON.stringify(await invoke(event));
    },
  };
  const rules: Rule[] = [];
  const bus = createEventBus(functions, rules, (text) => notices.push(text), clock);
  return { bus, rules, events, pauses, notices, timers, tick: () => timers.forEach(({ task: run }) => void run()) };
}

/** Waits until all work that needs no time has finished. */
const turnOver = () => new Promise((resolve) => setImmediate(resolve));

describe('a rule with a pattern', () => {
  it('passes matching events to its function in the format of EventBridge', async () => {
    const { bus, rules, events } = testBus();
    const matches = compilePattern({ source: ['aws.ecs'] }, 'test');
    rules.push({ arn: RULE, matches, targets: [{ functionArn: FUNCTION }] });
    bus.put({ ...task, resources: ['arn:task'] });
    bus.put({ ...task, source: 'aws.ec2' });
    await turnOver();
    expect(events).toEqual([
      {
        version: '0',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        'detail-type': 'ECS Task State Change',
        source: 'aws.ecs',
        account: '000000000000',
        time: '2026-11-21T12:30:15Z',
        region: 'us-east-1',
        resources: ['arn:task'],
        detail: { lastStatus: 'STOPPED' },
      },
    ]);
  });

  it('retries a function that fails, and finally prints that the event is lost', async () => {
    const { bus, rules, events, pauses, notices } = testBus(async () => {
      throw new Error('no table');
    });
    rules.push({ arn: RULE, matches: () => true, targets: [{ functionArn: FUNCTION }] });
    bus.put(task);
    await turnOver();
    expect([events.length, pauses]).toEqual([3, [1_000, 2_000]]);
    expect(events[2]).toEqual(events[0]);
    expect(notices).toEqual([`An event of ${RULE} is lost, because ${FUNCTION} failed: Error: no table`]);
  });

  it('retries a function that is throttled until the call succeeds', async () => {
    let throttled = 5;
    const { bus, rules, events, pauses, notices } = testBus(async () => {
      throttled -= 1;
      if (throttled >= 0) throw new FunctionThrottled('Rate Exceeded.');
    });
    rules.push({ arn: RULE, matches: () => true, targets: [{ functionArn: FUNCTION }] });
    bus.put(task);
    await turnOver();
    expect([events.length, pauses, notices]).toEqual([6, Array(5).fill(1_000), []]);
  });

  it('does not retry and prints nothing after the bus is stopped', async () => {
    const { bus, rules, events, notices } = testBus(async () => {
      bus.stop();
      throw new Error('ended');
    });
    rules.push({ arn: RULE, matches: () => true, targets: [{ functionArn: FUNCTION }] });
    bus.put(task);
    await turnOver();
    expect([events.length, notices]).toEqual([1, []]);
  });
});

describe('a rule with a schedule', () => {
  const scheduled = { arn: RULE, period: 60_000, targets: [{ functionArn: FUNCTION }] };

  it('fires at the start and then once in each period', async () => {
    const { bus, rules, events, timers, tick } = testBus();
    rules.push(scheduled);
    expect(timers).toEqual([]);
    bus.start();
    await turnOver();
    tick();
    await turnOver();
    expect(timers.map(({ period }) => period)).toEqual([60_000]);
    expect(events).toHaveLength(2);
    expect(events[0]).toMatchObject({
      source: 'aws.events',
      'detail-type': 'Scheduled Event',
      resources: [RULE],
      detail: {},
    });
  });

  it('never fires while its function is still running', async () => {
    const runs = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { bus, rules, events, tick } = testBus(() => runs[events.length - 1]?.promise ?? Promise.resolve());
    rules.push(scheduled);
    bus.start();
    tick();
    tick();
    expect(events).toHaveLength(1);
    runs[0]?.resolve();
    await turnOver();
    tick();
    expect(events).toHaveLength(2);
  });

  it('passes its own input instead of the event', async () => {
    const { bus, rules, events } = testBus();
    rules.push({ ...scheduled, targets: [{ functionArn: FUNCTION, input: { sweep: true } }] });
    bus.start();
    await turnOver();
    expect(events).toEqual([{ sweep: true }]);
  });
});

describe('a pattern', () => {
  const event = {
    source: 'aws.ecs',
    resources: ['arn:a', 'arn:b'],
    detail: {
      group: 'service:Echo',
      count: 2,
      gone: null,
      containers: [{ name: 'agent' }, { name: 'worker' }],
      up: true,
    },
  };

  it.each<[boolean, object]>([
    [true, {}],
    [true, { source: ['aws.ecs'] }],
    [true, { source: ['aws.ec2', 'aws.ecs'] }],
    [false, { source: ['aws.ec2'] }],
    [false, { source: ['aws'] }],
    [true, { resources: ['arn:b'] }],
    [false, { resources: ['arn:c'] }],
    [true, { source: ['aws.ecs'], detail: { group: [{ prefix: 'service:' }] } }],
    [false, { source: ['aws.ecs'], detail: { group: [{ prefix: 'task:' }] } }],
    [false, { detail: { count: [{ prefix: '2' }] } }],
    [true, { detail: { count: [2] } }],
    [false, { detail: { count: ['2'] } }],
    [true, { detail: { gone: [null] } }],
    [true, { detail: { up: [true] } }],
    [true, { detail: { containers: { name: ['worker'] } } }],
    [false, { detail: { containers: { name: ['sidecar'] } } }],
    [true, { detail: { group: [{ exists: true }] } }],
    [false, { detail: { stoppedReason: [{ exists: true }] } }],
    [true, { detail: { stoppedReason: [{ exists: false }] } }],
    [false, { detail: { group: [{ exists: false }] } }],
    [true, { other: { name: [{ exists: false }] } }],
    [true, { detail: { group: [{ 'anything-but': 'service:Other' }] } }],
    [false, { detail: { group: [{ 'anything-but': ['service:Other', 'service:Echo'] }] } }],
    [false, { detail: { count: [{ 'anything-but': 2 }] } }],
    [false, { detail: { stoppedReason: [{ 'anything-but': 'x' }] } }],
    [true, { detail: { group: ['x', { prefix: 'service:' }] } }],
  ])('matches: %s, %j', (expected, pattern) => {
    expect(compilePattern(pattern, 'test')(event)).toBe(expected);
  });

  it.each<[object, string]>([
    [{ detail: { count: [{ numeric: ['>', 1] }] } }, 'its pattern has {"numeric":[">",1]} at detail.count.'],
    [{ source: [{ suffix: 'x' }] }, 'its pattern has {"suffix":"x"} at source.'],
    [{ source: [{ 'anything-but': { prefix: 'x' } }] }, 'its pattern has {"anything-but":{"prefix":"x"}} at source.'],
    [{ source: [{ prefix: { 'equals-ignore-case': 'x' } }] }, 'at source.'],
    [{ $or: [{ source: ['x'] }] }, 'its pattern has $or at $or.'],
    [{ source: 'aws.ecs' }, 'its pattern has "aws.ecs" at source.'],
    [{ source: [] }, 'its pattern has [] at source.'],
  ])('is refused: %j', (pattern, sentence) => {
    expect(() => compilePattern(pattern, 'The rule')).toThrow(sentence);
  });
});

describe('a rule in a template', () => {
  let service: SmallService | undefined;
  afterEach(async () => {
    await service?.stop();
    service = undefined;
  });

  const target = { Id: 'Target0', Arn: { 'Fn::GetAtt': ['Function', 'Arn'] } };
  const deploy = async (properties: object) => {
    const rule = { Type: 'AWS::Events::Rule', Properties: { State: 'ENABLED', ...properties } };
    const Outputs = { Rule: { Value: { 'Fn::GetAtt': ['Rule', 'Arn'] } } };
    const stacks = { Only: { Resources: { Function: functionResource('handler'), Rule: rule }, Outputs } };
    service = await startSmallService(stacks, 'exports.handler = async () => null;');
    return service;
  };

  it.each(['rate(1 minute)', 'rate(5 minutes)', 'rate(2 hours)', 'rate(1 day)'])(
    'can have the schedule %s',
    async (rate) => {
      const { outputs } = await deploy({ ScheduleExpression: rate, Targets: [target] });
      expect(outputs.Only).toEqual({ Rule: 'arn:aws:events:us-east-1:000000000000:rule/Only-Rule' });
    },
  );

  it.each<[object, string]>([
    [{ ScheduleExpression: 'rate(1 minutes)' }, 'ScheduleExpression cannot be "rate(1 minutes)"'],
    [{ ScheduleExpression: 'rate(2 minute)' }, 'ScheduleExpression cannot be "rate(2 minute)"'],
    [{ ScheduleExpression: 'rate(0 minutes)' }, 'ScheduleExpression cannot be "rate(0 minutes)"'],
    [{ ScheduleExpression: 'rate(30 days)' }, 'ScheduleExpression cannot be "rate(30 days)"'],
    [{ ScheduleExpression: 'cron(0 12 * * ? *)' }, 'ScheduleExpression cannot be "cron(0 12 * * ? *)"'],
    [{ EventPattern: { source: [{ wildcard: '*' }] } }, 'its pattern has {"wildcard":"*"} at source.'],
    [{}, 'it has neither a schedule nor a pattern.'],
    [{ EventBusName: 'other', EventPattern: {} }, 'EventBusName cannot be "other"'],
    [
      { EventPattern: {}, Targets: [{ Id: 'a', Arn: 'arn:aws:sqs:us-east-1:000000000000:q' }] },
      'Targets.0.Arn cannot be',
    ],
    [
      { EventPattern: {}, Targets: [{ Id: 'a', Arn: 'arn:aws:lambda:us-east-1:000000000000:function:x' }] },
      'there is no function arn:aws:lambda:us-east-1:000000000000:function:x.',
    ],
    [{ EventPattern: {}, Targets: [{ ...target, InputPath: '$.detail' }] }, 'Targets.0.InputPath is not supported'],
  ])('stops the start if it is not supported: %j', async (properties, sentence) => {
    await expect(deploy(properties)).rejects.toThrow(sentence);
  });
});
