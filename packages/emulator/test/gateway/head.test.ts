/**
 * Tests a method that API Gateway answers from the template after its authorizer, like `HEAD` of the interfaces.
 */
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { createSharedFunctions, type SmallService, startSmallService } from '../small-service.ts';
import { code, FIRST_KEY, resources, SECOND_KEY, set } from './small-api.ts';

const functions = createSharedFunctions();
let service: SmallService | undefined;

afterAll(() => functions.stop());
afterEach(async () => {
  await service?.stop();
  service = undefined;
});

const ALLOW = 'method.response.header.Allow';

const head = (integration: object = {}) => ({
  Type: 'AWS::ApiGateway::Method',
  Properties: {
    RestApiId: { Ref: 'Api' },
    ResourceId: { Ref: 'Run' },
    HttpMethod: 'HEAD',
    ApiKeyRequired: true,
    AuthorizationType: 'CUSTOM',
    AuthorizerId: { Ref: 'Authorizer' },
    Integration: {
      Type: 'MOCK',
      RequestTemplates: { 'application/json': '{"statusCode":405}' },
      PassthroughBehavior: 'NEVER',
      IntegrationResponses: [{ StatusCode: '405', ResponseParameters: { [ALLOW]: "'GET, POST'" } }],
      ...integration,
    },
    MethodResponses: [{ StatusCode: '405', ResponseParameters: { [ALLOW]: true } }],
  },
});

/**
 * Serves the template.
 * @param burst requests of one key before `HEAD` is refused for its rate
 */
async function serve({ integration = {}, burst = 10 }: { integration?: object; burst?: number } = {}): Promise<void> {
  const changed = resources();
  changed.RunHead = head(integration);
  const Throttle = { '/{endpoint}/run/HEAD': { RateLimit: 0.001, BurstLimit: burst } };
  set(changed, 'Plan', { ApiStages: [{ ApiId: { Ref: 'Api' }, Stage: { Ref: 'Stage' }, Throttle }] });
  service = await startSmallService({ Small: { Resources: changed } }, code, { functions });
}

async function ask(headers: Record<string, string>, method = 'HEAD') {
  const response = await fetch(`${service?.url}/v2/echo/run`, { method, headers });
  return { status: response.status, allow: response.headers.get('allow'), text: await response.text() };
}

const first = { Authorization: `Allow ${FIRST_KEY}` };

describe('a method that is answered from the template', () => {
  it('is answered with the headers of the template if the authorizer allows the request', async () => {
    await serve();
    expect(await ask(first)).toEqual({ status: 405, allow: 'GET, POST', text: '' });
    expect((await ask({})).status).toBe(401);
    expect((await ask({ Authorization: `Deny ${FIRST_KEY}` })).status).toBe(403);
    expect((await ask({ Authorization: 'Allow no-such-key' })).status).toBe(403);
  });

  it('counts only against the rate of its key and method', async () => {
    await serve({ burst: 2 });
    const statuses = [await ask(first), await ask(first), await ask(first)].map(({ status }) => status);
    expect(statuses).toEqual([405, 405, 429]);
    expect((await ask({ Authorization: `Allow ${SECOND_KEY}` })).status).toBe(405);
    expect((await ask(first, 'GET')).status).toBe(200);
  });

  it.each([
    ['NEVER', 'application/json', 405],
    ['NEVER', 'Application/JSON; charset=utf-8', 405],
    ['NEVER', 'text/plain', 415],
    ['WHEN_NO_MATCH', 'text/plain', 405],
  ])('responds with PassthroughBehavior %s to a request of type %s with status %d', async (behavior, type, status) => {
    await serve({ integration: { PassthroughBehavior: behavior } });
    expect((await ask({ ...first, 'Content-Type': type })).status).toBe(status);
  });

  it('stops the start if its PassthroughBehavior is unknown', async () => {
    await expect(serve({ integration: { PassthroughBehavior: 'SOMETIMES' } })).rejects.toThrow('PassthroughBehavior');
  });
});
