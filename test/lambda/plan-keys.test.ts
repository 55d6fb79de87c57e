/** Tests the custom resource that adds keys to usage plans, over the local API Gateway. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { PlanKey } from '../../core/rates/plan-keys.ts';
import { createControlPlane } from '../../packages/emulator/gateway/control-plane.ts';
import { noApis } from '../../packages/emulator/gateway/definitions.ts';
import { type SmallProxy, startSmallProxy } from '../../packages/emulator/test/aws-proxy/small-proxy.ts';
import { type SmallCloudFormation, startSmallCloudFormation } from './small-cloudformation.ts';

const apis = noApis();
const keyIds = ['endpoint', 'other'];
const planIds = ['jobs', 'management'];
for (const id of planIds)
  apis.usagePlans.push({ id, where: id, properties: { ApiStages: [{ ApiId: 'api', Stage: id, Throttle: {} }] } });
for (const id of keyIds) apis.apiKeys.push({ id, where: id, properties: { Value: id, Enabled: true } });

let small: SmallProxy;
let cloudFormation: SmallCloudFormation;

beforeAll(async () => {
  small = await startSmallProxy(new Map([['apigateway', createControlPlane({ apis })]]));
  small.role('association', { Effect: 'Allow', Action: 'apigateway:*', Resource: '*' });
  Object.assign(process.env, small.proxy.environment('association', 's'));
  cloudFormation = await startSmallCloudFormation('Limits');
});
afterAll(async () => {
  cloudFormation.stop();
  await small.stop();
});

const propertiesOf = (keys: readonly PlanKey[]) => ({ ServiceToken: 'arn', keys });

const send = async (event: object) => cloudFormation.send(await import('../../lambda/rates/plan-keys.ts'), event);

const create = (keys: readonly PlanKey[]) => send({ RequestType: 'Create', ResourceProperties: propertiesOf(keys) });
const update = (from: readonly PlanKey[], to: readonly PlanKey[]) =>
  send({
    RequestType: 'Update',
    PhysicalResourceId: 'Limits',
    OldResourceProperties: propertiesOf(from),
    ResourceProperties: propertiesOf(to),
  });
const remove = (keys: readonly PlanKey[]) =>
  send({ RequestType: 'Delete', PhysicalResourceId: 'Limits', ResourceProperties: propertiesOf(keys) });

const stored = () =>
  planIds.flatMap((usagePlanId) =>
    keyIds.filter((id) => apis.planKeys.has(usagePlanId, id)).map((id) => `${usagePlanId} ${id}`),
  );

const both = planIds.map((usagePlanId) => ({ keyId: 'endpoint', usagePlanId }));
const success = { Status: 'SUCCESS', PhysicalResourceId: 'Limits' };

it('adds the keys once if CloudFormation calls it twice, and removes them with the stack', async () => {
  expect(await create(both)).toMatchObject(success);
  expect(await create(both)).toMatchObject(success);
  expect(stored()).toEqual(['jobs endpoint', 'management endpoint']);
  expect(await remove(both)).toMatchObject(success);
  expect(await remove(both)).toMatchObject(success);
  expect(stored()).toEqual([]);
});

it('replaces a changed key, and restores it if the update is rolled back', async () => {
  await create(both);
  const changed = both.map((each) => ({ ...each, keyId: 'other' }));
  expect(await update(both, changed)).toMatchObject(success);
  expect(stored()).toEqual(['jobs other', 'management other']);
  expect(await update(changed, both)).toMatchObject(success);
  expect(stored()).toEqual(['jobs endpoint', 'management endpoint']);
  await remove(both);
});

it('removes what a failed creation has added when CloudFormation rolls it back', async () => {
  const keys = [...both, { keyId: 'endpoint', usagePlanId: 'deleted' }];
  expect(await create(keys)).toMatchObject({ Status: 'FAILED', Reason: expect.stringContaining('Invalid Usage Plan') });
  expect(stored()).toEqual(['jobs endpoint', 'management endpoint']);
  expect(await remove(keys)).toMatchObject(success);
  expect(stored()).toEqual([]);
});
