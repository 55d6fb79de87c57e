/** Tests a distribution of a template: its behaviors, origins that are APIs, and the two addresses. */
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { code, FIRST_KEY } from '../gateway/small-api.ts';
import {
  createSharedFunctions,
  newFolder,
  type Resources,
  type SmallService,
  startSmallService,
} from '../small-service.ts';
import {
  ALL_METHODS,
  ask,
  behaviour,
  direct,
  distributed,
  edgeFunction,
  errorsUncached,
  jobs,
  OPEN,
} from './small-distribution.ts';

const functions = createSharedFunctions();
let service: SmallService | undefined;

afterAll(() => functions.stop());
afterEach(async () => {
  await service?.stop();
  service = undefined;
});

async function serve(Resources: Resources, outputs: Record<string, unknown> = {}, stateDir = newFolder()) {
  const Outputs = Object.fromEntries(Object.entries(outputs).map(([name, Value]) => [name, { Value }]));
  service = await startSmallService({ Small: { Resources, Outputs } }, code, { functions, stateDir });
  return service;
}

interface Event {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly queryStringParameters: Readonly<Record<string, string>> | null;
  readonly requestContext: { readonly stage: string; readonly domainName: string };
}

/** Returns the event that the function behind the API got. */
async function seen(path: string, options?: Parameters<typeof ask>[2]): Promise<Event> {
  const { status, text } = await ask(service?.url, path, options);
  expect(status).toBe(200);
  return JSON.parse(text) as Event;
}

const answering = (text: string) => `function handler() { return { statusCode: 404, body: '${text}' }; }`;

describe('an API behind a distribution', () => {
  it('gets the viewer request with the host of the origin and the headers that CloudFront adds', async () => {
    const OriginCustomHeaders = [{ HeaderName: 'X-Proof', HeaderValue: 'right' }];
    await serve(distributed({ Origins: [jobs({ OriginCustomHeaders })] }));
    const { path, headers, queryStringParameters, requestContext } = await seen(`${OPEN}?x=1`, {
      headers: {
        'User-Agent': 'small',
        'x-proof': 'forged',
        'X-Forwarded-For': '192.0.2.4',
        'X-Real-IP': '192.0.2.4',
        'X-Edge-Location': 'forged',
        Via: '1.0 before',
        Cookie: 'a=1; b=2',
      },
    });
    expect({ path, stage: requestContext.stage, queryStringParameters }).toEqual({
      path: '/echo/open',
      stage: 'v2',
      queryStringParameters: { x: '1' },
    });
    expect(headers).toEqual({
      Host: expect.stringMatching(/^[a-f0-9]{10}\.execute-api\.us-east-1\.amazonaws\.com$/),
      'User-Agent': 'small',
      Cookie: 'a=1; b=2',
      'X-Forwarded-For': '192.0.2.4,127.0.0.1',
      Via: expect.stringMatching(/^1\.0 before, 1\.1 d[a-f0-9]{10}\.cloudfront\.net \(CloudFront\)$/),
      'X-Amz-Cf-Id': expect.any(String),
      'X-Proof': 'right',
    });
    expect(requestContext.domainName).toBe(headers.Host);
  });

  it('gets no query string and few headers if the behavior has no origin request policy', async () => {
    await serve(distributed({ DefaultCacheBehavior: behaviour({ OriginRequestPolicyId: undefined }) }));
    const { headers, queryStringParameters } = await seen(`${OPEN}?x=1`, {
      method: 'POST',
      headers: { 'X-Mine': 'a', 'Content-Type': 'text/plain', 'User-Agent': 'small' },
      body: 'hello',
    });
    expect(queryStringParameters).toBeNull();
    expect(new Set(Object.keys(headers))).toEqual(
      new Set(['Content-Length', 'Content-Type', 'Host', 'User-Agent', 'Via', 'X-Amz-Cf-Id', 'X-Forwarded-For']),
    );
    expect(headers['User-Agent']).toBe('Amazon CloudFront');
  });

  it('gets the path of the request after the path of the origin', async () => {
    await serve(distributed({ Origins: [jobs({ OriginPath: '/v2' })] }));
    expect((await seen('/echo/open')).path).toBe('/echo/open');
  });

  it('counts requests to both addresses in the same token buckets', async () => {
    const { url, gatewayUrl } = await serve(distributed());
    const headers = { Authorization: `Allow ${FIRST_KEY}` };
    const statuses: number[] = [];
    for (const address of [url, gatewayUrl, url, gatewayUrl])
      statuses.push((await ask(address, '/v2/echo/run', { method: 'POST', headers })).status);
    expect(statuses).toEqual([200, 200, 429, 429]);
  });
});

describe('a distribution', () => {
  it('uses the first behavior whose pattern matches the path', async () => {
    const of = (PathPattern: string, name: string) => behaviour({ PathPattern }, name);
    await serve(
      distributed(
        {
          CacheBehaviors: [of('/v1/?x', 'One'), of('v1/*', 'Two'), of('*.txt', 'Three')],
          DefaultCacheBehavior: behaviour({}, 'Last'),
        },
        { One: answering('one'), Two: answering('two'), Three: answering('three'), Last: answering('last') },
      ),
    );
    const paths = [
      '/v1/ax',
      '/v1/abx',
      '/v1/a/b.txt',
      '/a/b.txt',
      '/V1/ax',
      '/v2/../v1/x',
      '/%761/x',
      '/v1?x',
      '/vv1/',
    ];
    const texts = await Promise.all(paths.map(async (path) => (await ask(service?.url, path)).text));
    expect(texts).toEqual(['one', 'two', 'two', 'three', 'last', 'two', 'two', 'last', 'last']);
  });

  it('refuses a method that the behavior does not allow', async () => {
    await serve(distributed({ DefaultCacheBehavior: behaviour({ AllowedMethods: ['GET', 'HEAD'] }) }));
    const statuses = await Promise.all(
      [...ALL_METHODS, 'TRACE'].map(async (method) => (await ask(service?.url, OPEN, { method })).status),
    );
    expect(statuses).toEqual([200, 200, 403, 403, 403, 403, 403, 403]);
  });

  it('refuses a GET request with a body, and a URL longer than 8192 bytes', async () => {
    await serve(distributed());
    expect((await ask(service?.url, OPEN, { body: 'x', headers: { 'Content-Length': '1' } })).status).toBe(403);
    const padding = 8_192 - `${OPEN}?x=`.length;
    expect((await ask(service?.url, `${OPEN}?x=${'x'.repeat(padding)}`)).status).toBe(200);
    expect((await ask(service?.url, `${OPEN}?x=${'x'.repeat(padding + 1)}`)).status).toBe(413);
  });

  it('routes requests by the behaviors, functions and origins of the template', async () => {
    const CacheBehaviors = [behaviour({ PathPattern: '/v2/*' })];
    const DefaultCacheBehavior = behaviour({}, 'Nothing');
    const code404 = { Nothing: answering('nothing is here') };
    const asked = async (all: Resources) => {
      const { url } = await serve(all);
      const { status } = await ask(url, OPEN);
      await service?.stop();
      service = undefined;
      return status;
    };
    expect(await asked(distributed({ CacheBehaviors, DefaultCacheBehavior }, code404))).toBe(200);
    expect(await asked(distributed({ DefaultCacheBehavior }, code404))).toBe(404);
    expect(await asked(distributed())).toBe(200);
    await expect(asked(distributed({ Origins: [] }))).rejects.toThrow(
      'names the origin jobs, which the distribution does not have',
    );
  });

  it('serves a page at its root, and does not change the separate address of API Gateway in the next run', async () => {
    const state = newFolder();
    const first = await serve(distributed(), {}, state);
    expect((await ask(first.url, '/')).text).toBe('the page');
    expect(first.gatewayUrl).not.toBe(first.url);
    expect((await ask(first.gatewayUrl, OPEN)).status).toBe(200);
    await first.stop();
    service = undefined;
    expect((await serve(distributed(), {}, state)).gatewayUrl).toBe(first.gatewayUrl);
  });

  it('serves its domain name and its aliases, while API Gateway serves the domain of the API', async () => {
    const join = (...parts: unknown[]) => ({ 'Fn::Join': ['', parts] });
    const domain = { 'Fn::GetAtt': ['Distribution', 'DomainName'] };
    const { outputs, url, gatewayUrl } = await serve(distributed({ Aliases: ['api.example.com'] }), {
      Published: join('https://', domain, '/v2'),
      Named: 'https://api.example.com/v2',
      Gateway: join('https://', { Ref: 'Api' }, '.execute-api.us-east-1.amazonaws.com/v2'),
      Id: { Ref: 'Distribution' },
    });
    expect(outputs.Small).toEqual({
      Published: `${url}/v2`,
      Named: `${url}/v2`,
      Gateway: `${gatewayUrl}/v2`,
      Id: expect.stringMatching(/^E[0-9A-F]{10}$/),
    });
  });

  it('is optional: without a distribution, API Gateway serves the published address', async () => {
    const all = distributed();
    delete all.Distribution;
    const { url, gatewayUrl } = await serve(all);
    expect(gatewayUrl).toBe(url);
    expect((await ask(url, OPEN)).headers.via).toBeUndefined();
  });
});

const cannot = (what: string, sentence: string, all: () => Resources) => [what, sentence, all] as const;
const tooLong = `function handler() {} // ${'x'.repeat(10_240)}`;
const config = (properties: Record<string, unknown>) => () => distributed(properties);
const withFunction = (text: string) => () =>
  distributed({ DefaultCacheBehavior: behaviour({}, 'Edge') }, { Edge: text });
const inDefault = (properties: Record<string, unknown>) => config({ DefaultCacheBehavior: behaviour(properties) });

describe('the start', () => {
  it.each([
    cannot(
      'another cache policy',
      'DefaultCacheBehavior.CachePolicyId cannot be "abc"',
      inDefault({ CachePolicyId: 'abc' }),
    ),
    cannot(
      'another origin request policy',
      'DefaultCacheBehavior.OriginRequestPolicyId cannot be "abc"',
      inDefault({ OriginRequestPolicyId: 'abc' }),
    ),
    cannot(
      'a response headers policy that the template does not have',
      'its response headers policy a is not in the template',
      inDefault({ ResponseHeadersPolicyId: 'a' }),
    ),
    cannot(
      'a function for another event',
      'FunctionAssociations.0.EventType cannot be "viewer-response"',
      inDefault({ FunctionAssociations: [{ EventType: 'viewer-response', FunctionARN: 'a' }] }),
    ),
    cannot(
      'a function that the template does not have',
      'Small/Distribution (AWS::CloudFront::Distribution) cannot run here: its function arn:x is not in the template',
      inDefault({ FunctionAssociations: [{ EventType: 'viewer-request', FunctionARN: 'arn:x' }] }),
    ),
    cannot(
      'no setting for errors',
      'CloudFront would cache 404, 414, 500, 501, 502, 503, 504: set an ErrorCachingMinTTL of 0 for each',
      config({ CustomErrorResponses: undefined }),
    ),
    cannot(
      'errors that are cached for a second',
      'CloudFront would cache 404, 414, 500, 501, 502, 503, 504',
      config({ CustomErrorResponses: errorsUncached(1) }),
    ),
    cannot('a disabled distribution', 'DistributionConfig.Enabled cannot be false', config({ Enabled: false })),
    cannot(
      'an origin that is not an API of the template',
      'its origin jobs is at example.com, which is not an API of the template',
      config({ Origins: [jobs({ DomainName: 'example.com' })] }),
    ),
    cannot(
      'an API that the template does not have',
      'which is not an API of the template',
      config({ Origins: [jobs({ DomainName: 'a1b2c3.execute-api.us-east-1.amazonaws.com' })] }),
    ),
    cannot(
      'a public bucket as origin',
      'its origin jobs has no origin access control in the template, so its bucket would have to be public',
      config({ Origins: [jobs({ S3OriginConfig: { OriginAccessIdentity: '' } })] }),
    ),
    cannot(
      'a timeout of the whole response',
      'Origins.0.ResponseCompletionTimeout is not supported',
      config({ Origins: [jobs({ ResponseCompletionTimeout: 60 })] }),
    ),
    cannot(
      'a load balancer that the template does not have',
      'Small/VpcOrigin (AWS::CloudFront::VpcOrigin) cannot run here: arn:aws:elasticloadbalancing',
      config({ Origins: [jobs(), direct()] }),
    ),
    cannot('code above 10 KB', 'CloudFront accepts at most 10240', withFunction(tooLong)),
    cannot(
      'code that is not JavaScript',
      'Small/Edge (AWS::CloudFront::Function) cannot run here',
      withFunction('function'),
    ),
    cannot(
      'an import of another module',
      'A function can import the module cloudfront only',
      withFunction("import crypto from 'crypto';\nfunction handler() {}"),
    ),
    cannot('code without a handler', 'handler is not defined', withFunction('const nothing = 1;')),
    cannot('an older runtime', 'FunctionConfig.Runtime cannot be "cloudfront-js-1.0"', () => ({
      Edge: edgeFunction('function handler() {}', { FunctionConfig: { Comment: '', Runtime: 'cloudfront-js-1.0' } }),
    })),
    cannot('a function that is not published', 'AutoPublish cannot be false', () => ({
      Edge: edgeFunction('function handler() {}', { AutoPublish: false }),
    })),
    cannot('two distributions', 'only one distribution can run on this machine', () => {
      const all = distributed();
      return { ...all, Second: all.Distribution as Resources[string] };
    }),
  ])('stops if the template has %s', async (_, sentence, all) => {
    await expect(serve(all())).rejects.toThrow(sentence);
  });
});
