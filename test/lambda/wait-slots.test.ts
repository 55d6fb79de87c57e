/** Calls the custom resource that computes the maximum number of waiting calls, over the local Lambda API. */
import { GetAccountSettingsCommand, GetFunctionCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AwsFault } from '../../packages/emulator/aws-proxy/aws-fault.ts';
import type { JsonService } from '../../packages/emulator/aws-proxy/json-service.ts';
import { createLambdaApi } from '../../packages/emulator/functions/lambda-api.ts';
import { type SmallProxy, startSmallProxy } from '../../packages/emulator/test/aws-proxy/small-proxy.ts';
import { type SmallCloudFormation, startSmallCloudFormation } from './small-cloudformation.ts';

/** The account's quota of concurrent executions, which tests change. */
let concurrency = 1_000;
let isBusy = false;
const lambda: JsonService = {
  async call(...args) {
    if (isBusy) throw new AwsFault(429, 'TooManyRequestsException', 'Rate Exceeded.');
    return createLambdaApi(concurrency).call(...args);
  },
  authorization: createLambdaApi(concurrency).authorization,
};
let small: SmallProxy;
let cloudFormation: SmallCloudFormation;

beforeAll(async () => {
  small = await startSmallProxy(new Map([['lambda', lambda]]));
  small.role('reader', { Effect: 'Allow', Action: 'lambda:GetAccountSettings', Resource: '*' });
  small.role('stranger');
  cloudFormation = await startSmallCloudFormation();
});
afterAll(async () => {
  cloudFormation.stop();
  await small.stop();
});

const callAs = (role: string) =>
  Object.assign(process.env, small.proxy.environment(role, 's'), { AWS_MAX_ATTEMPTS: '1' });

const send = async (RequestType: string) =>
  cloudFormation.send(await import('../../lambda/account/wait-slots.ts'), { RequestType });

describe('the slots for waiting calls', () => {
  it.each([
    [1_000, 500],
    [10, 5],
    [51, 25],
    [1, 1],
    [1_000_000, 100_000],
  ])('of an account with %d concurrent executions are %d', async (executions, slots) => {
    concurrency = executions;
    callAs('reader');
    const answer = { Status: 'SUCCESS', PhysicalResourceId: 'wait-slots', Data: { slots } };
    expect(await send('Create')).toMatchObject(answer);
    expect(await send('Update')).toMatchObject(answer);
  });

  it('fail the deployment with the reason if the quota cannot be read', async () => {
    isBusy = true;
    expect(await send('Update')).toMatchObject({
      Status: 'FAILED',
      PhysicalResourceId: 'wait-slots',
      Reason: expect.stringContaining('Rate Exceeded.'),
    });
  });

  it('are deleted without reading the quota', async () => {
    isBusy = true;
    expect(await send('Delete')).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId: 'wait-slots' });
  });
});

describe('the local Lambda API', () => {
  it('returns its settings only to roles with the permission', async () => {
    isBusy = false;
    concurrency = 50;
    callAs('reader');
    const { AccountLimit } = await new LambdaClient({}).send(new GetAccountSettingsCommand({}));
    expect(AccountLimit).toEqual({ ConcurrentExecutions: 50 });
    callAs('stranger');
    const refused = new LambdaClient({}).send(new GetAccountSettingsCommand({}));
    await expect(refused).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringContaining('lambda:GetAccountSettings'),
    });
  });

  it('refuses other operations and names them', async () => {
    callAs('reader');
    const asking = new LambdaClient({}).send(new GetFunctionCommand({ FunctionName: 'any' }));
    await expect(asking).rejects.toMatchObject({
      name: 'UnknownOperationException',
      message: expect.stringContaining('GET /2015-03-31/functions/any'),
    });
  });
});
