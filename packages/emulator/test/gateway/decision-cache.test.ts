/** Tests the cache of authorizer responses, alone and over HTTP. */
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import type { Template } from '../../cloudformation/template.ts';
import { createDecisionCache } from '../../gateway/decision-cache.ts';
import { createSharedFunctions, type Resources, type SmallService, startSmallService } from '../small-service.ts';
import { code, FIRST_KEY, resources, SECOND_KEY, set } from './small-api.ts';

const TTL = 30;
let time = 0;

describe('a cached response', () => {
  const authorizer = { id: 'a', resultTtl: TTL };
  const numbered = () => {
    let asked = 0;
    return async () => ({ number: ++asked });
  };

  it('is used until its time to live is over', async () => {
    const cache = createDecisionCache(() => time);
    const ask = numbered();
    expect(await cache.read(authorizer, ['x'], ask)).toEqual({ number: 1 });
    time += TTL * 1000 - 1;
    expect(await cache.read(authorizer, ['x'], ask)).toEqual({ number: 1 });
    time += 1;
    expect(await cache.read(authorizer, ['x'], ask)).toEqual({ number: 2 });
  });

  it('is used only for the same authorizer with the same values in the same order', async () => {
    const cache = createDecisionCache(() => time);
    const ask = numbered();
    await cache.read(authorizer, ['x', 'y'], ask);
    expect(await cache.read(authorizer, ['y', 'x'], ask)).toEqual({ number: 2 });
    expect(await cache.read(authorizer, ['x,y'], ask)).toEqual({ number: 3 });
    expect(await cache.read({ ...authorizer, id: 'b' }, ['x', 'y'], ask)).toEqual({ number: 4 });
    expect(await cache.read(authorizer, ['x', 'y'], ask)).toEqual({ number: 1 });
  });

  it('does not exist for an authorizer with a time to live of 0', async () => {
    const cache = createDecisionCache(() => time);
    const ask = numbered();
    await cache.read({ id: 'a', resultTtl: 0 }, ['x'], ask);
    expect(await cache.read({ id: 'a', resultTtl: 0 }, ['x'], ask)).toEqual({ number: 2 });
  });

  it('does not exist after a failure', async () => {
    const cache = createDecisionCache(() => time);
    await expect(cache.read(authorizer, ['x'], () => Promise.reject(new Error('no table')))).rejects.toThrow(
      'no table',
    );
    expect(await cache.read(authorizer, ['x'], numbered())).toEqual({ number: 1 });
  });
});

describe('the responses of an authorizer with a cache', () => {
  const functions = createSharedFunctions();
  let service: SmallService | undefined;

  afterAll(() => functions.stop());
  afterEach(async () => {
    await service?.stop();
    service = undefined;
  });

  const sources = ['method.request.header.Authorization', 'context.httpMethod', 'context.path'].join(', ');

  async function serve(change: (resources: Resources) => void = () => undefined): Promise<void> {
    const changed = resources();
    set(changed, 'Authorizer', { IdentitySource: sources, AuthorizerResultTtlInSeconds: TTL });
    change(changed);
    const options = { functions, now: () => time };
    service = await startSmallService({ Small: { Resources: changed } satisfies Template }, code, options);
  }

  /** Sends a request. Returns its status, and whether the response of the authorizer came from the cache. */
  async function call(path: string, authorization = `Allow ${FIRST_KEY}`, method = 'GET') {
    const headers = { ...(authorization && { Authorization: authorization }) };
    const response = await fetch(`${service?.url}/v2${path}`, { method, headers });
    const text = await response.text();
    if (response.status !== 200) return { status: response.status };
    const { requestContext } = JSON.parse(text) as {
      requestContext: { requestId: string; authorizer: { event: string }; identity: { apiKey: string } };
    };
    const asked = JSON.parse(requestContext.authorizer.event) as typeof requestContext & { requestContext: object };
    const isCached = Reflect.get(asked.requestContext, 'requestId') !== requestContext.requestId;
    return { status: 200, isCached, apiKey: requestContext.identity.apiKey };
  }

  it('are cached by the values of all identity sources', async () => {
    await serve();
    expect(await call('/a/run')).toEqual({ status: 200, isCached: false, apiKey: FIRST_KEY });
    expect(await call('/a/run')).toEqual({ status: 200, isCached: true, apiKey: FIRST_KEY });
    expect(await call('/a/run?x=1')).toMatchObject({ isCached: true });
    expect(await call('/b/run')).toMatchObject({ isCached: false });
    expect(await call('/a/run', undefined, 'POST')).toMatchObject({ isCached: false });
    expect(await call('/a/run', `Allow ${SECOND_KEY}`)).toEqual({ status: 200, isCached: false, apiKey: SECOND_KEY });
    time += TTL * 1000;
    expect(await call('/a/run')).toMatchObject({ isCached: false });
  });

  it('are cached if they deny the request, but not if the authorizer fails', async () => {
    await serve();
    expect(await call('/a/run', 'Deny')).toEqual({ status: 403 });
    expect(await call('/a/run', 'Deny')).toEqual({ status: 403 });
    expect(await call('/a/run', 'broken')).toEqual({ status: 500 });
    expect(await call('/a/run', 'unauthorized')).toEqual({ status: 401 });
  });

  it('are not used for a request without an identity source, which gets 401', async () => {
    await serve();
    expect(await call('/a/run')).toMatchObject({ status: 200 });
    expect(await call('/a/run', '')).toEqual({ status: 401 });
  });

  it('are evaluated for each request, because a policy may not cover all requests with the same values', async () => {
    await serve((all) => set(all, 'Authorizer', { IdentitySource: 'method.request.header.Authorization' }));
    expect(await call('/a/run')).toMatchObject({ status: 200, isCached: false });
    expect(await call('/b/run')).toEqual({ status: 403 });
  });
});
