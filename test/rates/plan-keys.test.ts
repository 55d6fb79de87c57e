/** Tests the adapter that adds keys to usage plans, over the emulated control plane of API Gateway. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createPlanKeys } from '../../aws/rates/plan-keys.ts';
import { changePlanKeys, type PlanKey } from '../../core/rates/plan-keys.ts';
import type { JsonService } from '../../packages/emulator/aws-proxy/json-service.ts';
import { createControlPlane } from '../../packages/emulator/gateway/control-plane.ts';
import { noApis } from '../../packages/emulator/gateway/definitions.ts';
import { type SmallProxy, startSmallProxy } from '../../packages/emulator/test/aws-proxy/small-proxy.ts';

const apis = noApis();
const planOf = (id: string, ...stages: readonly string[]) => ({
  id,
  where: id,
  properties: { ApiStages: stages.map((Stage) => ({ ApiId: 'api', Stage, Throttle: {} })) },
});
const keyIds = ['k0', 'k1', 'k2', 'k3', 'k4', 'k5'];
apis.usagePlans.push(planOf('jobs', 'v2'), planOf('management', 'v1'), planOf('others', 'v2'));
apis.apiKeys.push(...keyIds.map((id) => ({ id, where: id, properties: { Value: `${id}-value`, Enabled: true } })));

/** Delays the completion of the changes in progress until a test permits it. */
let completed: () => Promise<void> = () => Promise.resolve();
const controlPlane = createControlPlane({ apis, completed: () => completed() });
/** Names of the calls that conflicted, in their order. */
const conflicts: string[] = [];
let onConflict: () => void = () => undefined;
const service: JsonService = {
  ...controlPlane,
  async call(name, ...rest) {
    try {
      return await controlPlane.call(name, ...rest);
    } catch (error) {
      if (error instanceof Error && error.message.includes('concurrent')) {
        conflicts.push(name);
        onConflict();
      }
      throw error;
    }
  },
};

let small: SmallProxy;
const keys = 'arn:aws:apigateway:us-east-1::/usageplans/*/keys';

/** Returns the adapter with the credentials of a role, and without pauses between attempts. */
function planKeysOf(role: string) {
  Object.assign(process.env, small.proxy.environment(role, 's'));
  return createPlanKeys(() => 0);
}

const jobs = (keyId: string): PlanKey => ({ keyId, usagePlanId: 'jobs' });
const management = (keyId: string): PlanKey => ({ keyId, usagePlanId: 'management' });
const isIn = ({ keyId, usagePlanId }: PlanKey) => apis.planKeys.has(usagePlanId, keyId);

beforeAll(async () => {
  small = await startSmallProxy(new Map([['apigateway', service]]));
  small.role(
    'association',
    { Effect: 'Allow', Action: 'apigateway:POST', Resource: keys },
    { Effect: 'Allow', Action: ['apigateway:GET', 'apigateway:DELETE'], Resource: `${keys}/*` },
  );
  small.role('reader', { Effect: 'Allow', Action: 'apigateway:GET', Resource: `${keys}/*` });
});
afterAll(() => small.stop());
beforeEach(() => {
  conflicts.length = 0;
  completed = () => Promise.resolve();
  onConflict = () => undefined;
  for (const keyId of keyIds) for (const { id } of apis.usagePlans) apis.planKeys.remove(id, keyId);
});

/** Makes the first change last until other calls have conflicted with it this many times. */
function conflictTimes(times: number): void {
  const { promise, resolve } = Promise.withResolvers<void>();
  onConflict = () => {
    if (conflicts.length >= times) resolve();
  };
  completed = () => promise;
}

describe('keys of usage plans', () => {
  it('are all added by stacks that are deployed side by side, although their calls conflict', async () => {
    conflictTimes(5);
    const deploy = (keyId: string) => changePlanKeys(planKeysOf('association'), [], [jobs(keyId), management(keyId)]);
    await Promise.all(keyIds.map(deploy));
    expect(keyIds.flatMap((id) => [jobs(id), management(id)]).filter((planKey) => !isIn(planKey))).toEqual([]);
    expect(conflicts.length).toBeGreaterThanOrEqual(5);
  });

  it('are all removed by stacks that are deleted side by side', async () => {
    for (const keyId of keyIds) apis.planKeys.add('jobs', keyId);
    conflictTimes(5);
    await Promise.all(keyIds.map((keyId) => changePlanKeys(planKeysOf('association'), [jobs(keyId)], [])));
    expect(keyIds.filter((keyId) => isIn(jobs(keyId)))).toEqual([]);
    expect(conflicts.length).toBeGreaterThanOrEqual(5);
  });

  it('can be added and removed again, which changes nothing', async () => {
    const planKeys = planKeysOf('association');
    await planKeys.add(jobs('k0'));
    await planKeys.add(jobs('k0'));
    expect(isIn(jobs('k0'))).toBe(true);
    await planKeys.remove(jobs('k0'));
    await planKeys.remove(jobs('k0'));
    await planKeys.remove({ keyId: 'k0', usagePlanId: 'deleted' });
    expect(isIn(jobs('k0'))).toBe(false);
  });

  it('can move to another plan of the same stage', async () => {
    const planKeys = planKeysOf('association');
    const other = { keyId: 'k0', usagePlanId: 'others' };
    await planKeys.add(jobs('k0'));
    await expect(planKeys.add(other)).rejects.toThrow('cannot reference multiple Usage Plans with the same API stage');
    await changePlanKeys(planKeys, [jobs('k0')], [other]);
    expect([isIn(jobs('k0')), isIn(other)]).toEqual([false, true]);
  });

  it('are not added to a plan that does not exist', async () => {
    await expect(planKeysOf('association').add({ keyId: 'k0', usagePlanId: 'none' })).rejects.toThrow(
      'Invalid Usage Plan identifier specified',
    );
  });

  it('are added only by roles with this permission', async () => {
    await expect(planKeysOf('reader').add(jobs('k0'))).rejects.toThrow('not authorized to perform: apigateway:POST');
    expect(isIn(jobs('k0'))).toBe(false);
  });
});
