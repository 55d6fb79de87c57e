/** Tests the gateway over HTTP, with a template and functions of a few lines. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, afterEach, describe, expect, it, jest } from '@jest/globals';
import { shortId } from '../../cloudformation/resource.ts';
import type { Template } from '../../cloudformation/template.ts';
import { FunctionThrottled } from '../../functions/call.ts';
import { createPlanKeys } from '../../gateway/plan-keys.ts';
import { createSharedFunctions, type Resources, type SmallService, startSmallService } from '../small-service.ts';
import { holdTime, passTime } from '../time-limits.ts';
import { code, FIRST_KEY, gatewayResponse, resources, SECOND_KEY, set, uri } from './small-api.ts';

const functions = createSharedFunctions();
let service: SmallService | undefined;

afterAll(() => functions.stop());
afterEach(async () => {
  jest.useRealTimers();
  await service?.stop();
  service = undefined;
});

async function serve(change: (resources: Resources) => void = () => undefined): Promise<void> {
  const changed = resources();
  change(changed);
  const strange = shortId({ stack: { id: 'Small' }, logicalId: 'StrangeKey' });
  const planKeys = { ...createPlanKeys(), has: (_: string, keyId: string) => keyId !== strange };
  const options = { functions, planKeys };
  service = await startSmallService({ Small: { Resources: changed } satisfies Template }, code, options);
}

interface Options {
  readonly method?: string;
  readonly authorization?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

async function call(
  path: string,
  { method = 'GET', authorization = `Allow ${FIRST_KEY}`, headers, body }: Options = {},
) {
  const response = await fetch(`${service?.url}${path}`, {
    method,
    body: body ?? null,
    headers: { ...(authorization && { Authorization: authorization }), ...headers },
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Sends any path and headers unchanged; `fetch` would normalize them. */
async function rawCall(path: string, headers: string[]): Promise<string> {
  const { hostname, port } = new URL(service?.url ?? '');
  const sent = request({ hostname, port, path, headers: ['Host', 'here', ...headers] }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return textOf(response);
}

const jsonOf = (text: string) => JSON.parse(text) as Record<string, unknown>;

describe('the event of a function', () => {
  it('has the structure of the REST proxy integration', async () => {
    await serve();
    const { status, text, headers } = await call('/v2/a%20b/run?x=1&x=2&y=%C3%A9', {
      method: 'GET',
      headers: { 'X-Custom': 'yes', 'User-Agent': 'tests' },
    });
    expect(status).toBe(200);
    const event = jsonOf(text);
    expect(event).toMatchObject({
      resource: '/{endpoint}/run',
      path: '/a%20b/run',
      httpMethod: 'GET',
      pathParameters: { endpoint: 'a b' },
      queryStringParameters: { x: '2', y: 'é' },
      multiValueQueryStringParameters: { x: ['1', '2'], y: ['é'] },
      stageVariables: null,
      body: null,
      isBase64Encoded: false,
      requestContext: {
        accountId: '000000000000',
        stage: 'v2',
        httpMethod: 'GET',
        resourcePath: '/{endpoint}/run',
        path: '/v2/a%20b/run',
        requestId: headers.get('x-amzn-requestid'),
        requestTime: expect.stringMatching(/^\d\d\/\w{3}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
        authorizer: { principalId: 'ann', count: '7' },
        identity: { sourceIp: '127.0.0.1', userAgent: 'tests', apiKey: FIRST_KEY },
      },
    });
  });

  it('contains the body as text', async () => {
    await serve();
    const { text } = await call('/v2/a/run', { method: 'POST', body: '{"é":"\\u00e9"}' });
    expect(jsonOf(text)).toMatchObject({ body: '{"é":"\\u00e9"}', isBase64Encoded: false });
  });

  it('contains a body of a binary media type in base64', async () => {
    await serve((all) => set(all, 'Api', { BinaryMediaTypes: ['multipart/form-data'] }));
    const headers = { 'Content-Type': 'Multipart/Form-Data; boundary=a' };
    const { text } = await call('/v2/a/run', { method: 'POST', body: Uint8Array.from([0, 255, 10]), headers });
    expect(jsonOf(text)).toMatchObject({ body: 'AP8K', isBase64Encoded: true });
  });

  it('contains repeated headers, with their names as sent', async () => {
    await serve();
    const text = await rawCall('/v2/a/open', ['X-Twice', 'a', 'x-twice', 'b']);
    expect(jsonOf(text)).toMatchObject({ headers: { 'X-Twice': 'b' }, multiValueHeaders: { 'X-Twice': ['a', 'b'] } });
  });

  it('contains the method and no body if it is for an authorizer', async () => {
    await serve();
    const { text } = await call('/v2/a/run', { method: 'POST', body: '{}' });
    const { authorizer } = jsonOf(text).requestContext as { authorizer: { event: string } };
    const event = jsonOf(authorizer.event);
    expect(event).toMatchObject({
      type: 'REQUEST',
      methodArn: expect.stringMatching(/^arn:aws:execute-api:us-east-1:000000000000:\w+\/v2\/POST\/a\/run$/),
      resource: '/{endpoint}/run',
      pathParameters: { endpoint: 'a' },
    });
    expect(event).not.toHaveProperty('body');
  });
});

describe('the gateway', () => {
  const huge = new Uint8Array(10 * 1024 * 1024 + 1).fill(0x61);

  it.each<[string, string, Options, number, string]>([
    [
      'an unknown path with any body',
      '/v2/a/b/c',
      { method: 'POST', body: huge, authorization: '' },
      403,
      'Missing Authentication Token',
    ],
    ['an unknown method', '/v2/a/run', { method: 'PUT', authorization: '' }, 403, 'Missing Authentication Token'],
    [
      'a body over 10 MB with any key',
      '/v2/a/run',
      { method: 'POST', body: huge, authorization: '' },
      413,
      'Request Too Long',
    ],
    ['a missing identity source', '/v2/a/run', { authorization: '' }, 401, 'Unauthorized'],
    ['an authorizer that throws Unauthorized', '/v2/a/run', { authorization: 'unauthorized' }, 401, 'Unauthorized'],
    [
      'a policy that denies',
      '/v2/a/run',
      { authorization: 'Deny' },
      403,
      'User is not authorized to access this resource',
    ],
    [
      'a policy that allows and denies',
      '/v2/a/run',
      { authorization: `Both ${FIRST_KEY}` },
      403,
      'User is not authorized to access this resource',
    ],
    [
      'a policy for another resource',
      '/v2/a/run',
      { authorization: 'Elsewhere' },
      403,
      'User is not authorized to access this resource',
    ],
    ['a missing usage key', '/v2/a/run', { authorization: 'Allow' }, 403, 'Forbidden'],
    ['an unknown usage key', '/v2/a/run', { authorization: 'Allow nobody' }, 403, 'Forbidden'],
    [
      'a disabled usage key',
      '/v2/a/run',
      { authorization: 'Allow disabled-key-of-twenty-characters' },
      403,
      'Forbidden',
    ],
    [
      'a usage key outside the plan',
      '/v2/a/run',
      { authorization: 'Allow strange-key-of-twenty-characters' },
      403,
      'Forbidden',
    ],
    ['a function that throws', '/v2/a/run?answer=throw', {}, 502, 'Internal server error'],
    ['a function that returns an invalid response', '/v2/a/run?answer={"body":7}', {}, 502, 'Internal server error'],
    [
      'a function that returns an invalid header',
      `/v2/a/run?answer=${encodeURIComponent('{"statusCode":200,"headers":{"a":"b\\n"}}')}`,
      {},
      502,
      'Internal server error',
    ],
    ['an event over 6 MB', '/v2/a/run', { method: 'POST', body: huge.subarray(0, 6_291_456) }, 413, 'Request Too Long'],
    ['a response over 6 MB', '/v2/a/run?size=6291456', {}, 502, 'Internal server error'],
    ['an unknown stage', '/v3/a/run', {}, 403, 'Missing Authentication Token'],
    ['a path that cannot be decoded', '/v2/%zz/run', {}, 400, 'Bad Request'],
  ])('responds as API Gateway does: %s', async (_, path, options, status, message) => {
    await serve();
    const answer = await call(path, options);
    expect([answer.status, jsonOf(answer.text)]).toEqual([status, { message }]);
  });

  it.each([
    ['throws an error', 'broken'],
    ['returns an invalid result', 'nonsense'],
  ])('returns 500 for an authorizer that %s', async (_, authorization) => {
    await serve();
    const answer = await call('/v2/a/run', { authorization });
    expect([answer.status, answer.text]).toEqual([500, '{"message":null}']);
  });

  it('returns 500 for a function that Lambda throttles', async () => {
    const throttled: typeof functions = {
      ...functions,
      async invoke(arn, event) {
        if (arn.includes('Handler')) throw new FunctionThrottled('Rate Exceeded.');
        return functions.invoke(arn, event);
      },
    };
    service = await startSmallService({ Small: { Resources: resources() } satisfies Template }, code, {
      functions: throttled,
    });
    const { status, text } = await call('/v2/a/run');
    expect([status, text]).toEqual([500, '{"message":"Internal server error"}']);
  });

  it('returns 504 for a function that takes too long', async () => {
    await serve((all) => {
      const integration = { Type: 'AWS_PROXY', IntegrationHttpMethod: 'POST', Uri: uri('Handler') };
      set(all, 'RunGet', { Integration: { ...integration, TimeoutInMillis: 50 } });
    });
    const { status, text } = await call('/v2/a/run?wait=60000');
    expect([status, text]).toEqual([504, '{"message":"Endpoint request timed out"}']);
  });

  it('does not count the time for which a call waits for others of its function', async () => {
    holdTime();
    const waiting: typeof functions = {
      ...functions,
      async invoke(arn, event, begun) {
        if (arn.includes('Handler')) await passTime(200);
        return functions.invoke(arn, event, begun);
      },
    };
    const Resources = resources();
    const integration = { Type: 'AWS_PROXY', IntegrationHttpMethod: 'POST', Uri: uri('Handler') };
    set(Resources, 'RunGet', { Integration: { ...integration, TimeoutInMillis: 150 } });
    service = await startSmallService({ Small: { Resources } satisfies Template }, code, { functions: waiting });
    expect((await call('/v2/a/run')).status).toBe(200);
  });

  it('forwards the status and headers of a function, and adds a request id', async () => {
    await serve();
    const options = {
      statusCode: '418',
      headers: { 'X-One': 1 },
      multiValueHeaders: { 'Set-Cookie': ['a=1', 'b=2'] },
      body: 'tea',
    };
    const { status, headers, text } = await call(`/v2/a/run?answer=${encodeURIComponent(JSON.stringify(options))}`);
    expect([status, headers.get('x-one'), headers.getSetCookie(), text]).toEqual([418, '1', ['a=1', 'b=2'], 'tea']);
    expect(headers.get('x-amzn-requestid')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('serves a page at the root', async () => {
    await serve();
    expect(await call('/')).toMatchObject({ status: 200, text: 'the page' });
  });
});

describe('gateway responses', () => {
  const template = (text: string, rest: Record<string, unknown> = {}) => ({
    ResponseTemplates: { 'application/json': text },
    ...rest,
  });

  it('are rendered from their template', async () => {
    await serve((all) => {
      const text =
        '{"error":"$context.authorizer.error","n":$context.authorizer.count,"id":"$context.requestId","x":"$context.no"}';
      all.Denied = gatewayResponse('ACCESS_DENIED', template(text, { StatusCode: '401' }));
    });
    const { status, text, headers } = await call('/v2/a/run', { authorization: 'Deny' });
    expect(status).toBe(401);
    expect(jsonOf(text)).toEqual({ error: 'not you', n: 7, id: headers.get('x-amzn-requestid'), x: '' });
  });

  it('can contain variables of the request, the message, and headers', async () => {
    await serve((all) => {
      const text =
        '{"type":"$context.error.responseType","message":$context.error.messageString,"at":"$context.httpMethod $context.path of $context.resourcePath."}';
      const ResponseParameters = { 'gatewayresponse.header.Retry-After': "'1'" };
      all.Unknown = gatewayResponse('UNAUTHORIZED', template(text, { ResponseParameters }));
    });
    const { status, text, headers } = await call('/v2/a%22b/run', { authorization: '' });
    expect(status).toBe(401);
    expect(headers.get('retry-after')).toBe('1');
    expect(jsonOf(text)).toEqual({
      type: 'UNAUTHORIZED',
      message: 'Unauthorized',
      at: 'GET /v2/a%22b/run of /{endpoint}/run.',
    });
  });

  it('have headers from the context, and omit headers whose variable has no value', async () => {
    await serve((all) => {
      const ResponseParameters = {
        'gatewayresponse.header.Retry-After': 'context.authorizer.count',
        'gatewayresponse.header.X-Missing': 'context.authorizer.missing',
      };
      all.Throttled = gatewayResponse('THROTTLED', template('{}', { ResponseParameters }));
    });
    for (const expected of [200, 200, 429]) {
      const { status, headers } = await call('/v2/a/run', { method: 'POST' });
      expect([status, headers.get('retry-after')]).toEqual([expected, expected === 429 ? '7' : null]);
      expect(headers.has('x-missing')).toBe(false);
    }
  });

  it('stay valid JSON even if the path contains special characters', async () => {
    await serve((all) => {
      all.Unknown = gatewayResponse('MISSING_AUTHENTICATION_TOKEN', template('{"path":"$context.path"}'));
    });
    expect(jsonOf(await rawCall('/v2/a/"b\\<', []))).toEqual({ path: '/v2/a/%22b%5C%3C' });
  });

  it('answer an unknown stage in the same way as an unknown path', async () => {
    await serve((all) => {
      const text = '{"no":"$context.httpMethod","id":"$context.requestId"}';
      all.Unknown = gatewayResponse('MISSING_AUTHENTICATION_TOKEN', template(text, { StatusCode: '404' }));
    });
    for (const path of ['/v3/a/run', '/v2/a/nothing']) {
      const { status, text, headers } = await call(path, { method: 'POST', body: '{}', authorization: '' });
      expect([status, jsonOf(text)]).toEqual([404, { no: 'POST', id: headers.get('x-amzn-requestid') }]);
    }
  });

  it('fall back to the default of their class, and keep their status unless the default sets one', async () => {
    await serve((all) => {
      all.Any4xx = gatewayResponse('DEFAULT_4XX', template('{"any":4}'));
      all.Any5xx = gatewayResponse('DEFAULT_5XX', template('{"any":5}', { StatusCode: '500' }));
    });
    expect(await call('/v2/a/run', { method: 'PUT' })).toMatchObject({ status: 403, text: '{"any":4}' });
    expect(await call('/v2/a/run', { authorization: '' })).toMatchObject({ status: 401, text: '{"any":4}' });
    expect(await call('/v2/a/run?answer=throw')).toMatchObject({ status: 500, text: '{"any":5}' });
  });
});

describe('a rate limit', () => {
  const statuses = async (times: number, value = FIRST_KEY, method = 'POST') => {
    const found: number[] = [];
    for (let n = 0; n < times; n += 1)
      found.push((await call('/v2/a/run', { method, authorization: `Allow ${value}` })).status);
    return found;
  };

  it('counts each key and method separately', async () => {
    await serve();
    expect(await statuses(3)).toEqual([200, 200, 429]);
    expect(await statuses(3, SECOND_KEY)).toEqual([200, 200, 429]);
    expect(await statuses(5, FIRST_KEY, 'GET')).toEqual([200, 200, 200, 200, 200]);
  });

  it('counts a request only after the authorizer has allowed it', async () => {
    await serve();
    for (let n = 0; n < 5; n += 1)
      expect((await call('/v2/a/run', { method: 'POST', authorization: 'unauthorized' })).status).toBe(401);
    expect(await statuses(3)).toEqual([200, 200, 429]);
  });

  it('is checked before the function is called, so a refusal costs nothing', async () => {
    await serve();
    await statuses(2);
    // The function would throw, so the gateway would return 502.
    expect((await call('/v2/a/run?answer=throw', { method: 'POST' })).status).toBe(429);
  });

  it('applies to methods without a separate limit if the plan has a default', async () => {
    await serve((all) => {
      set(all, 'Plan', { Throttle: { RateLimit: 0.001, BurstLimit: 1 } });
    });
    expect(await statuses(2, FIRST_KEY, 'GET')).toEqual([200, 429]);
    expect(await statuses(3)).toEqual([200, 200, 429]);
  });

  it('counts all keys together if it belongs to the stage', async () => {
    await serve((all) => {
      const limit = { ThrottlingRateLimit: 0.001, ThrottlingBurstLimit: 1 };
      set(all, 'Stage', {
        MethodSettings: [{ HttpMethod: 'POST', ResourcePath: '/~1{endpoint}~1run', ...limit }],
      });
    });
    expect(await statuses(1)).toEqual([200]);
    expect(await statuses(1, SECOND_KEY)).toEqual([429]);
    expect(await statuses(1, SECOND_KEY, 'GET')).toEqual([200]);
  });

  it('counts all HTTP methods of ANY together', async () => {
    await serve((all) => {
      const Throttle = { '/{endpoint}/open/ANY': { RateLimit: 0.001, BurstLimit: 1 } };
      set(all, 'Plan', { ApiStages: [{ ApiId: { Ref: 'Api' }, Stage: { Ref: 'Stage' }, Throttle }] });
      set(all, 'OpenAny', { ApiKeyRequired: true, AuthorizationType: 'CUSTOM', AuthorizerId: { Ref: 'Authorizer' } });
    });
    expect((await call('/v2/a/open')).status).toBe(200);
    expect((await call('/v2/a/open', { method: 'POST' })).status).toBe(429);
  });

  it('applies only if the template declares it', async () => {
    await serve((all) => {
      set(all, 'Plan', { ApiStages: [{ ApiId: { Ref: 'Api' }, Stage: { Ref: 'Stage' } }] });
    });
    expect(await statuses(4)).toEqual([200, 200, 200, 200]);
  });

  it('needs no authorizer if the key is sent in a header', async () => {
    await serve((all) => {
      set(all, 'Api', { ApiKeySourceType: 'HEADER' });
      set(all, 'OpenAny', { ApiKeyRequired: true });
    });
    expect((await call('/v2/a/open')).status).toBe(403);
    expect((await call('/v2/a/open', { headers: { 'x-api-key': FIRST_KEY } })).status).toBe(200);
  });
});

describe('a method that is not in the template', () => {
  it('gets the same response as an unknown path', async () => {
    await serve((all) => {
      delete all.RunPost;
    });
    expect((await call('/v2/a/run', { method: 'POST' })).status).toBe(403);
    expect((await call('/v2/a/run')).status).toBe(200);
  });
});

describe('the deployment of an API', () => {
  it.each<[string, (all: Resources) => void, string]>([
    [
      'two APIs under one stage name',
      (all) => {
        all.Other = { Type: 'AWS::ApiGateway::RestApi', Properties: { Name: 'other' } };
        all.OtherStage = {
          Type: 'AWS::ApiGateway::Stage',
          Properties: { RestApiId: { Ref: 'Other' }, StageName: 'v2', DeploymentId: 'd' },
        };
      },
      'Small/OtherStage (AWS::ApiGateway::Stage) cannot run here: the path of stage v2 is already in use by small.',
    ],
    [
      'an authorizer with a cache and no identity source',
      (all) => {
        set(all, 'Authorizer', { AuthorizerResultTtlInSeconds: 300, IdentitySource: undefined });
      },
      'Small/Authorizer (AWS::ApiGateway::Authorizer) cannot run here: an authorizer whose responses are cached needs an identity source.',
    ],
    [
      'an identity source of the context that requests lack',
      (all) => {
        set(all, 'Authorizer', { IdentitySource: 'context.routeKey' });
      },
      'Small/Authorizer (AWS::ApiGateway::Authorizer) cannot run here: identity source context.routeKey is not a header, a query string, or one of context.httpMethod, context.identity.sourceIp, context.path, context.resourcePath, context.stage.',
    ],
    [
      'a response with a computed header',
      (all) => {
        const ResponseParameters = { 'gatewayresponse.header.X': 'method.request.header.X' };
        all.Response = gatewayResponse('THROTTLED', { ResponseParameters });
      },
      'gatewayresponse.header.X must be a header with a quoted value or a variable of the context.',
    ],
  ])('is refused for %s', async (_, change, sentence) => {
    await expect(serve(change)).rejects.toThrow(sentence);
  });
});
