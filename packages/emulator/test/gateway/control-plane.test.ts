/** Tests the local control plane of API Gateway with the client of AWS, over HTTP. */
import {
  APIGatewayClient,
  CreateApiKeyCommand,
  CreateUsagePlanKeyCommand,
  DeleteUsagePlanKeyCommand,
  GetUsagePlanKeyCommand,
} from '@aws-sdk/client-api-gateway';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createControlPlane } from '../../gateway/control-plane.ts';
import { noApis } from '../../gateway/definitions.ts';
import { createPlanKeys } from '../../gateway/plan-keys.ts';
import { type SmallProxy, startSmallProxy } from '../aws-proxy/small-proxy.ts';
import { credentialsOf } from '../credentials.ts';

const apis = noApis();
const planOf = (id: string, Stage: string) => ({
  id,
  where: id,
  properties: { ApiStages: [{ ApiId: 'api', Stage, Throttle: {} }] },
});
apis.usagePlans.push(planOf('first', 'v1'), planOf('second', 'v2'), planOf('another', 'v1'));
apis.apiKeys.push({ id: 'k0', where: 'k0', properties: { Value: 'value', Enabled: true } });
const plans = () => apis.usagePlans.filter(({ id }) => apis.planKeys.has(id, 'k0')).map(({ id }) => id);

/** Delays the completion of the changes in progress until a test permits it. */
let completed: () => Promise<void> = () => Promise.resolve();
let small: SmallProxy;

const clientOf = (role: string) =>
  new APIGatewayClient({
    region: 'us-east-1',
    endpoint: small.proxy.url,
    credentials: credentialsOf(small.proxy, role),
    maxAttempts: 1,
  });
const add = (usagePlanId: string, role = 'writer') =>
  clientOf(role).send(new CreateUsagePlanKeyCommand({ usagePlanId, keyId: 'k0', keyType: 'API_KEY' }));
const read = (usagePlanId: string) => clientOf('writer').send(new GetUsagePlanKeyCommand({ usagePlanId, keyId: 'k0' }));
const remove = (usagePlanId: string) =>
  clientOf('writer').send(new DeleteUsagePlanKeyCommand({ usagePlanId, keyId: 'k0' }));

beforeAll(async () => {
  const controlPlane = createControlPlane({ apis, completed: () => completed() });
  small = await startSmallProxy(new Map([['apigateway', controlPlane]]));
  const keys = 'arn:aws:apigateway:us-east-1::/usageplans/*/keys';
  const actions = ['GET', 'DELETE', 'POST'].map((method) => `apigateway:${method}`);
  small.role('writer', { Effect: 'Allow', Action: actions, Resource: [keys, `${keys}/*`] });
  small.role('reader', { Effect: 'Allow', Action: 'apigateway:GET', Resource: `${keys}/*` });
});
afterAll(() => small.stop());
beforeEach(() => {
  completed = () => Promise.resolve();
  for (const { id } of apis.usagePlans) apis.planKeys.remove(id, 'k0');
});

describe('keys of usage plans', () => {
  it('can be added, read and removed', async () => {
    await add('first');
    await add('second');
    expect(await read('first')).toMatchObject({ id: 'k0', type: 'API_KEY', value: 'value' });
    await remove('second');
    expect(plans()).toEqual(['first']);
    await expect(read('second')).rejects.toMatchObject({ name: 'NotFoundException' });
    await expect(remove('second')).rejects.toMatchObject({ name: 'NotFoundException' });
  });

  it('cannot be changed while another change is in progress', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    completed = () => {
      began.resolve();
      return promise;
    };
    const first = add('first');
    await began.promise;
    await expect(add('second')).rejects.toMatchObject({
      name: 'ConflictException',
      message: 'Unable to complete operation due to concurrent modification. Please try again later.',
    });
    resolve();
    await first;
    expect(plans()).toEqual(['first']);
  });

  it('can be in only one plan of a stage', async () => {
    await add('first');
    await expect(add('another')).rejects.toThrow('cannot reference multiple Usage Plans with the same API stage');
    await expect(add('first')).rejects.toMatchObject({ name: 'ConflictException' });
    await remove('first');
    await add('another');
    expect(plans()).toEqual(['another']);
  });

  it('are not added to a plan that does not exist', async () => {
    await expect(add('none')).rejects.toThrow('Invalid Usage Plan identifier specified');
  });

  it('are added only by roles with this permission', async () => {
    await expect(add('first', 'reader')).rejects.toThrow('not authorized to perform: apigateway:POST');
    expect(plans()).toEqual([]);
  });

  it('are the only part that can be changed by calls', async () => {
    await expect(clientOf('writer').send(new CreateApiKeyCommand({}))).rejects.toThrow('cannot be checked here');
  });

  it('are stored between runs', () => {
    const files = new Map<string, unknown>();
    const state = {
      readJson: <Content>(name: string) => files.get(name) as Content | undefined,
      writeJson: (name: string, content: unknown) => void files.set(name, content),
    };
    const first = createPlanKeys(state);
    first.add('jobs', 'k0');
    first.add('jobs', 'k1');
    first.remove('jobs', 'k1');
    const second = createPlanKeys(state);
    expect(['k0', 'k1'].filter((keyId) => second.has('jobs', keyId))).toEqual(['k0']);
  });
});
