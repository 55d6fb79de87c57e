/** Tests requests that match no method, and the catch-all methods of our templates that answer them. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { createSharedFunctions, type Resources, type SmallService, startSmallService } from '../small-service.ts';
import { code, FIRST_KEY, gatewayResponse, resources, set } from './small-api.ts';

const functions = createSharedFunctions();
let service: SmallService | undefined;

afterAll(() => functions.stop());
afterEach(async () => {
  await service?.stop();
  service = undefined;
});

const resource = (ParentId: unknown, PathPart: string) => ({
  Type: 'AWS::ApiGateway::Resource',
  Properties: { RestApiId: { Ref: 'Api' }, ParentId, PathPart },
});

const BODY = '{"error":"no `$context.httpMethod`","id":"$context.requestId"}';

const any = (ResourceId: unknown, body = BODY) => ({
  Type: 'AWS::ApiGateway::Method',
  Properties: {
    RestApiId: { Ref: 'Api' },
    ResourceId,
    HttpMethod: 'ANY',
    AuthorizationType: 'NONE',
    Integration: {
      Type: 'MOCK',
      RequestTemplates: { 'application/json': '{"statusCode":404}', 'text/plain': '{"statusCode":404}' },
      PassthroughBehavior: 'NEVER',
      IntegrationResponses: [{ StatusCode: '404', ResponseTemplates: { 'application/json': body } }],
    },
    MethodResponses: [{ StatusCode: '404' }],
  },
});

/** Adds `ANY` on the root, on `/{endpoint}`, and on every path below it. */
function addCatchAlls(all: Resources): void {
  all.Rest = resource({ Ref: 'Endpoint' }, '{proxy+}');
  all.AnyOfRoot = any({ 'Fn::GetAtt': ['Api', 'RootResourceId'] });
  all.AnyOfEndpoint = any({ Ref: 'Endpoint' });
  all.AnyOfRest = any({ Ref: 'Rest' });
}

async function serve(change: (all: Resources) => void = () => undefined): Promise<void> {
  const changed = resources();
  change(changed);
  service = await startSmallService({ Small: { Resources: changed } }, code, { functions });
}

/** Sends a request without `fetch`, which would change unknown methods and paths. */
async function ask(method: string, path: string, headers: Record<string, string> = {}) {
  const { hostname, port } = new URL(service?.url ?? '');
  const sent = request({ hostname, port, path: `/v2${path}`, method, headers }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const text = await textOf(response);
  return { status: response.statusCode, type: response.headers['x-amzn-errortype'], text };
}

const messageOf = ({ text }: { text: string }) => (JSON.parse(text) as { message: string }).message;

const SIGNATURE =
  'AWS4-HMAC-SHA256 Credential=AKIA/20261122/eu-west-1/execute-api/aws4_request, SignedHeaders=host, Signature=ab12';

describe('a request that matches no method', () => {
  it.each([
    ['/a/nothing', 'GET'],
    ['/a/run', 'PUT'],
    ['/', 'GET'],
    ['/a', 'POST'],
  ])('gets MISSING_AUTHENTICATION_TOKEN if it has no Authorization header: %s %s', async (path, method) => {
    await serve();
    const answer = await ask(method, path);
    expect([answer.status, answer.type]).toEqual([403, 'MissingAuthenticationTokenException']);
    expect(messageOf(answer)).toBe('Missing Authentication Token');
  });

  it.each([
    ['Bearer abc', "'abc' not a valid key=value pair (missing equal-sign) in Authorization header: 'Bearer abc'."],
    ['abc', "'abc' not a valid key=value pair (missing equal-sign) in Authorization header: 'abc'."],
    ['Basic YTpi', "'YTpi' not a valid key=value pair (missing equal-sign) in Authorization header: 'Basic YTpi'."],
    ['Basic YTo=', "requires 'Credential' parameter. Authorization header requires 'Signature' parameter."],
    ['AWS4-HMAC-SHA256 Credential=A', "Authorization header requires 'Signature' parameter."],
  ])('gets INCOMPLETE_SIGNATURE with Authorization: %s', async (authorization, message) => {
    await serve();
    for (const [method, path] of [
      ['GET', '/a/nothing'],
      ['PUT', '/a/run'],
    ] as const) {
      const answer = await ask(method, path, { authorization });
      expect([answer.status, answer.type]).toEqual([403, 'IncompleteSignatureException']);
      expect(messageOf(answer)).toContain(message);
    }
  });

  it('gets UNRECOGNIZED_CLIENT if it is signed as for AWS', async () => {
    await serve();
    const answer = await ask('GET', '/a/nothing', { authorization: SIGNATURE });
    expect([answer.status, answer.type]).toEqual([403, 'UnrecognizedClientException']);
  });

  it('gets DEFAULT_4XX instead of MISSING_AUTHENTICATION_TOKEN if it has an Authorization header', async () => {
    await serve((all) => {
      const template = (text: string) => ({ ResponseTemplates: { 'application/json': text } });
      all.Missing = gatewayResponse('MISSING_AUTHENTICATION_TOKEN', {
        ...template('{"no":"token"}'),
        StatusCode: '404',
      });
      all.Any4xx = gatewayResponse('DEFAULT_4XX', template('{"type":"$context.error.responseType"}'));
    });
    expect(await ask('GET', '/a/nothing')).toMatchObject({ status: 404, text: '{"no":"token"}' });
    for (const authorization of ['Bearer abc', SIGNATURE])
      expect(await ask('GET', '/a/nothing', { authorization })).toMatchObject({
        status: 403,
        text: '{"type":"DEFAULT_4XX"}',
      });
  });
});

describe('ANY on every path', () => {
  it.each(['', 'Bearer abc', 'abc', 'Basic YTo=', SIGNATURE, `Deny ${FIRST_KEY}`, `Allow ${FIRST_KEY}`])(
    'answers requests that match no other method, with Authorization: %s',
    async (authorization) => {
      await serve(addCatchAlls);
      const headers: Record<string, string> = authorization === '' ? {} : { Authorization: authorization };
      for (const [method, path] of [
        ['GET', '/'],
        ['PUT', '/a'],
        ['GET', '/a/nothing'],
        ['DELETE', '/a/run'],
        ['PATCH', '/a/run/more/of/it'],
        ['OPTIONS', '/a//run'],
      ] as const) {
        const { status, text } = await ask(method, path, headers);
        const body = JSON.parse(text) as Record<string, string>;
        expect([method, path, status, body]).toEqual([
          method,
          path,
          404,
          { error: `no \`${method}\``, id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
        ]);
      }
    },
  );

  it('does not answer requests that match another method', async () => {
    await serve(addCatchAlls);
    expect((await ask('POST', '/a/run', { Authorization: `Allow ${FIRST_KEY}` })).status).toBe(200);
    expect((await ask('POST', '/a/run')).status).toBe(401);
  });

  it('does not match HTTP methods that API Gateway does not support', async () => {
    await serve(addCatchAlls);
    expect(await ask('PROPFIND', '/a/run', { Authorization: 'Bearer abc' })).toMatchObject({
      status: 403,
      type: 'IncompleteSignatureException',
    });
  });

  it('answers media types that have a template, and returns 415 for others', async () => {
    await serve(addCatchAlls);
    const statuses = [];
    for (const type of ['application/json', 'Text/Plain; charset=utf-8', 'image/png'])
      statuses.push((await ask('PUT', '/a/run', { 'content-type': type })).status);
    expect(statuses).toEqual([404, 404, 415]);
  });

  it('has the rate limit that the stage sets for its resource', async () => {
    await serve((all) => {
      addCatchAlls(all);
      const limit = { HttpMethod: 'ANY', ThrottlingRateLimit: 0.001, ThrottlingBurstLimit: 1 };
      const paths = ['/', '/~1{endpoint}~1{proxy+}'];
      set(all, 'Stage', { MethodSettings: paths.map((ResourcePath) => ({ ...limit, ResourcePath })) });
    });
    const statuses = [];
    for (const path of ['/', '/', '/a/x', '/b/y', '/a', '/a']) statuses.push((await ask('GET', path)).status);
    expect(statuses).toEqual([404, 429, 404, 429, 404, 404]);
  });
});

describe('a key that the plan does not have yet', () => {
  it('is refused with the status, body and constant header of the template', async () => {
    await serve((all) => {
      const ResponseParameters = { 'gatewayresponse.header.Retry-After': "'10'" };
      const ResponseTemplates = { 'application/json': '{"code":"NOT_READY"}' };
      all.Unknown = gatewayResponse('INVALID_API_KEY', { StatusCode: '503', ResponseTemplates, ResponseParameters });
    });
    const headers = { Authorization: 'Allow a-key-of-no-plan-at-all' };
    const response = await fetch(`${service?.url}/v2/a/run`, { method: 'POST', headers });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10']);
    expect(await response.json()).toEqual({ code: 'NOT_READY' });
  });
});

describe('a template that API Gateway would refuse', () => {
  it.each<[string, (all: Resources) => void]>([
    [
      'its sibling {endpoint} is also a variable path part',
      (all) => {
        all.Rest = resource({ 'Fn::GetAtt': ['Api', 'RootResourceId'] }, '{proxy+}');
      },
    ],
    [
      '/{endpoint}/{proxy+} matches all paths below it',
      (all) => {
        addCatchAlls(all);
        all.Below = resource({ Ref: 'Rest' }, 'below');
      },
    ],
    [
      'its response template can only use variables of $context',
      (all) => {
        all.AnyOfEndpoint = any({ Ref: 'Endpoint' }, '$input.body');
      },
    ],
  ])('stops the start: %s', async (sentence, change) => {
    await expect(serve(change)).rejects.toThrow(sentence);
  });
});
