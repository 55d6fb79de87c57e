import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { Access } from '../../iam/evaluate.ts';
import { parseDefinition } from '../../step-functions/definition.ts';
import { createStateMachines } from '../../step-functions/state-machines.ts';
import { createStatesApi } from '../../step-functions/states-api.ts';
import { eventually } from '../small-service.ts';

const FUNCTION = 'arn:aws:lambda:us-east-1:000000000000:function:f';
const MACHINE = 'arn:aws:states:us-east-1:000000000000:stateMachine:m';
const ROLE = 'arn:aws:iam::000000000000:role/m';

const post = {
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke',
  Parameters: { FunctionName: FUNCTION, Payload: { 'cause.$': '$[0]', 'retry.$': '$$.State.RetryCount' } },
  ResultPath: null,
  Retry: [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 10, MaxAttempts: 2, BackoffRate: 1 }],
  Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: null, Next: 'Lost' }],
  Next: 'Over',
};
const definitionOf = (task: object, more: object = {}, first: object = {}) =>
  JSON.stringify({
    StartAt: 'Post',
    States: { Post: task, Over: { Type: 'Succeed' }, Lost: { Type: 'Fail' }, ...first },
    ...more,
  });

/** Creates a state machine that retries without pauses. */
async function stateMachinesWith(
  answer: (retry: number) => unknown,
  authorize: (role: string, access: Access) => void,
  text = definitionOf(post),
) {
  const payloads: unknown[] = [];
  const stateMachines = createStateMachines({
    async invoke(arn, payload) {
      payloads.push({ arn, ...payload });
      return JSON.stringify((await answer(payloads.length - 1)) ?? null);
    },
    authorize,
    pause: 0,
  });
  const definition = parseDefinition(text, 'it');
  await stateMachines.define({ name: 'm', arn: MACHINE, roleArn: ROLE, definition });
  const until = async (count: number) => {
    await eventually(`${count} calls`, () => payloads.length >= count);
    // Another call would have arrived by now.
    await delay(50);
    return payloads;
  };
  return { stateMachines, until };
}

const fail = () => {
  throw new Error('no');
};

describe('a state machine', () => {
  it('calls its function under its role, and retries with the number of the retry until a call succeeds', async () => {
    const accesses: unknown[] = [];
    const { stateMachines, until } = await stateMachinesWith(
      (retry) => (retry < 1 ? fail() : undefined),
      (role, access) => accesses.push({ role, ...access }),
    );
    stateMachines.start(MACHINE, '[{"a":1},{"b":2}]');
    const payload = { arn: FUNCTION, cause: { a: 1 } };
    expect(await until(2)).toEqual([
      { ...payload, retry: 0 },
      { ...payload, retry: 1 },
    ]);
    const access = { role: ROLE, action: 'lambda:InvokeFunction', resource: FUNCTION };
    expect(accesses).toEqual([access, access]);
  });

  it('waits until the time in its input, and makes no call if it is stopped before that time', async () => {
    const { stateMachines, until } = await stateMachinesWith(
      () => undefined,
      () => undefined,
      definitionOf(post, { StartAt: 'Pause' }, { Pause: { Type: 'Wait', TimestampPath: '$[0].at', Next: 'Post' } }),
    );
    const at = Date.now() + 400;
    stateMachines.start(MACHINE, JSON.stringify([{ at: new Date(at).toISOString() }]));
    stateMachines.start(MACHINE, JSON.stringify([{ at: new Date(at + 60_000).toISOString() }]));
    expect(await until(1)).toHaveLength(1);
    expect(Date.now()).toBeGreaterThanOrEqual(at);
    stateMachines.stop();
    expect(await until(1)).toHaveLength(1);
  });

  it('makes no further call after its last retry', async () => {
    const { stateMachines, until } = await stateMachinesWith(fail, () => undefined);
    stateMachines.start(MACHINE, '[{}]');
    expect(await until(3)).toHaveLength(3);
  });

  it('calls no function without the permission of its role', async () => {
    const { stateMachines, until } = await stateMachinesWith(() => undefined, fail);
    stateMachines.start(MACHINE, '[{}]');
    expect(await until(0)).toEqual([]);
  });

  it('can be started only by its ARN, with StartExecution of the Step Functions API', async () => {
    const { stateMachines, until } = await stateMachinesWith(
      () => undefined,
      () => undefined,
    );
    const api = createStatesApi(stateMachines);
    const caller = { roleArn: ROLE, sessionArn: ROLE };
    const request = { stateMachineArn: MACHINE, input: '[{"a":1}]' };
    expect(api.authorization('StartExecution', request)).toEqual({
      action: 'states:StartExecution',
      resource: MACHINE,
    });
    expect(await api.call('StartExecution', request, caller)).toMatchObject({ executionArn: expect.any(String) });
    expect(await until(1)).toHaveLength(1);
    await expect(api.call('StartExecution', { ...request, stateMachineArn: 'x' }, caller)).rejects.toThrow('Not Exist');
    await expect(api.call('StopExecution', request, caller)).rejects.toThrow('no operation StopExecution');
  });
});

describe('a definition', () => {
  it.each<[string, string, string]>([
    ['in JSONata', definitionOf(post, { QueryLanguage: 'JSONata' }), 'QueryLanguage'],
    ['with another state', definitionOf({ Type: 'Choice', Choices: [] }), 'States.Post'],
    ['with a wait for a number of seconds', definitionOf({ Type: 'Wait', Seconds: 1, End: true }), 'States.Post'],
    ['with a wait without a next state', definitionOf({ Type: 'Wait', TimestampPath: '$.at' }), 'Next or End'],
    ['with another service', definitionOf({ ...post, Resource: 'arn:aws:states:::sqs:sendMessage' }), 'Resource'],
    ['with an unknown field', definitionOf({ ...post, Assign: {} }), 'Assign'],
    ['with an unknown next state', definitionOf({ ...post, Next: 'Nowhere' }), 'Post leads to Nowhere'],
  ])('stops the start with an error that names the resource: %s', (_, text, place) => {
    expect(() => parseDefinition(text, 'Platform/Machine')).toThrow(/^Platform\/Machine cannot run here: /);
    expect(() => parseDefinition(text, 'Platform/Machine')).toThrow(place);
  });
});
