import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { stackOf, synthesize, synthesizeWith } from '../synthesis.ts';
import { onlyOne } from './template.ts';

const { template } = stackOf(synthesize(), 'Platform');
const off = stackOf(synthesizeWith({ ingress: 'off' }), 'Platform').template;
const withoutConsole = stackOf(synthesizeWith({ console: 'off' }), 'Platform').template;

interface Request {
  readonly method: string;
  readonly uri: string;
  readonly headers: Record<string, { value: string }>;
}

interface Outcome {
  /** The origin that the function selected instead of the origin of the path. */
  readonly origin: string | undefined;
  readonly result: unknown;
}

/** Runs a function as CloudFront does, from the code in the template. */
function run(from: typeof template, name: string, request: Request): Outcome {
  const [code] = Object.entries(from.findResources('AWS::CloudFront::Function'))
    .filter(([id]) => id.includes(name))
    .map(([, { Properties }]) => String(Properties.FunctionCode));
  if (code === undefined) throw new Error(`The function ${name} does not exist.`);
  let origin: string | undefined;
  const cf = { selectRequestOriginById: (id: string) => (origin = id) };
  const event = { request, viewer: { ip: '203.0.113.7' }, context: { requestId: 'r-1' } };
  const text = runInNewContext(`${code.replace("import cf from 'cloudfront';", '')}\nJSON.stringify(handler(event));`, {
    cf,
    event,
  });
  return { origin, result: JSON.parse(String(text)) };
}

const post = (uri: string, length?: string): Request => ({
  method: 'POST',
  uri,
  headers: length === undefined ? {} : { 'content-length': { value: length } },
});

describe('the distribution', () => {
  const config = (from = template) => onlyOne(from, 'AWS::CloudFront::Distribution').properties.DistributionConfig;

  it('sends each interface to its API and the console to its bucket, and answers all other paths itself', () => {
    const paths = config().CacheBehaviors.map(
      ({ PathPattern, TargetOriginId }: { PathPattern: string; TargetOriginId: string }) => [
        PathPattern,
        TargetOriginId,
      ],
    );
    expect(paths).toEqual([
      ['/v2/*', 'jobs'],
      ['/v1/*', 'management'],
      ['/console', 'console'],
      ['/console/*', 'console'],
    ]);
    expect(JSON.stringify(config().DefaultCacheBehavior.FunctionAssociations)).toContain('NoInterface');
  });

  it('does not cache, compress or rewrite responses of the interfaces, and requires HTTPS', () => {
    for (const behavior of [...config(withoutConsole).CacheBehaviors, config().DefaultCacheBehavior])
      expect(behavior).toMatchObject({
        CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
        OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
        ViewerProtocolPolicy: 'https-only',
        Compress: false,
        AllowedMethods: expect.arrayContaining(['GET', 'POST', 'DELETE', 'OPTIONS', 'HEAD']),
      });
  });

  it('does not cache errors', () => {
    const kept = Object.fromEntries(
      config().CustomErrorResponses.map(({ ErrorCode, ...rest }: { ErrorCode: number }) => [ErrorCode, rest]),
    );
    // All statuses for which CloudFront accepts a caching time.
    const statuses = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];
    expect(kept).toEqual(Object.fromEntries(statuses.map((status) => [status, { ErrorCachingMinTTL: 0 }])));
  });

  it('calls the APIs over TLS, and the ingress at its port for large bodies', () => {
    const [jobs, management, ingress] = config().Origins;
    for (const api of [jobs, management])
      expect(api.CustomOriginConfig).toMatchObject({ OriginProtocolPolicy: 'https-only', OriginReadTimeout: 60 });
    const { id, properties } = onlyOne(template, 'AWS::CloudFront::VpcOrigin');
    expect(ingress).toMatchObject({ Id: 'ingress', VpcOriginConfig: { VpcOriginId: { 'Fn::GetAtt': [id, 'Id'] } } });
    expect(properties.VpcOriginEndpointConfig).toMatchObject({
      Arn: { Ref: onlyOne(template, 'AWS::ElasticLoadBalancingV2::LoadBalancer').id },
      HTTPPort: 8081,
      OriginProtocolPolicy: 'http-only',
    });
  });

  it('has no minimum TLS version without a custom domain', () => {
    expect(config()).not.toHaveProperty('ViewerCertificate');
    expect(config()).not.toHaveProperty('Aliases');
  });

  it('exists without the ingress, with the two APIs and the console', () => {
    expect(config(off).Origins.map(({ Id }: { Id: string }) => Id)).toEqual(['jobs', 'management', 'console']);
    expect(onlyOne(off, 'AWS::CloudFront::Distribution').id).toBe(
      onlyOne(template, 'AWS::CloudFront::Distribution').id,
    );
  });
});

describe('the function before each request', () => {
  it.each<[string, Request, string | undefined]>([
    ['/run below 3,000,000 bytes', post('/v2/echo/run', '2999999'), undefined],
    ['/run of 3,000,000 bytes', post('/v2/echo/run', '3000000'), 'ingress'],
    ['/runsync below 10,000,000 bytes', post('/v2/echo/runsync', '9999999'), undefined],
    ['/runsync of 10,000,000 bytes', post('/v2/echo/runsync', '10000000'), 'ingress'],
    ['/runsync of unknown length', post('/v2/echo/runsync'), 'ingress'],
    ['/openai below 10,000,000 bytes', post('/v2/echo/openai/v1/audio/transcriptions', '9999999'), undefined],
    ['/openai of 10,000,000 bytes', post('/v2/echo/openai/v1/audio/transcriptions', '10000000'), 'ingress'],
    ['/openai of unknown length', post('/v2/echo/openai/v1/chat/completions'), 'ingress'],
    ['a request to an endpoint with the id openai', post('/v2/openai/cancel/job-1', '20000000'), undefined],
    ['a path below /run', post('/v2/echo/run/more', '20000000'), undefined],
    ['a length that is not a number', post('/v2/echo/run', 'many'), 'ingress'],
    ['a path that ends with a slash', post('/v2/echo/run/', '3000000'), 'ingress'],
    ['another operation', post('/v2/echo/cancel/job-1', '20000000'), undefined],
    ['an operation with the name of a property of every object', post('/v2/echo/constructor', '20000000'), undefined],
    ['a request to an endpoint with the id run', post('/v2/run/purge-queue', '20000000'), undefined],
    ['a request to the management interface', post('/v1/echo/run', '20000000'), undefined],
    ['another method', { ...post('/v2/echo/run', '3000000'), method: 'GET' }, undefined],
  ])('sends %s to the origin that accepts it', (_what, request, expected) => {
    expect(run(template, 'ChooseOrigin', request).origin).toBe(expected);
  });

  it('sends no request to the ingress if the ingress is off', () => {
    expect(run(off, 'OneOrigin', post('/v2/echo/runsync', '20000000')).origin).toBeUndefined();
  });

  it('has another id and name with the ingress, because the origin is created and deleted with it', () => {
    const functionsOf = (from: typeof template) =>
      Object.entries(from.findResources('AWS::CloudFront::Function')).filter(
        ([id]) => !/NoInterface|OpenPage/.test(id),
      );
    const [[before, ...more], [after]] = [functionsOf(template), functionsOf(off)];
    if (!before || !after) throw new Error('The distribution has no function for requests.');
    expect(more).toEqual([]);
    expect(after[0]).not.toBe(before[0]);
    expect(after[1].Properties.Name).not.toEqual(before[1].Properties.Name);
    for (const [from, [id]] of [
      [template, before],
      [off, after],
    ] as const)
      expect(JSON.stringify(onlyOne(from, 'AWS::CloudFront::Distribution').properties)).toContain(id);
  });

  it('sets the header with the address of the client, even if the client sends that header', () => {
    const request = { ...post('/v2/echo/run', '10'), headers: { 'x-viewer-address': { value: '10.0.0.1' } } };
    expect(run(template, 'ChooseOrigin', request).result).toMatchObject({
      method: 'POST',
      uri: '/v2/echo/run',
      headers: { 'x-viewer-address': { value: '203.0.113.7' } },
    });
  });
});

describe('the function for unknown paths', () => {
  it('answers 404 with the common error body', () => {
    const { result } = run(template, 'NoInterface', { method: 'GET', uri: '/elsewhere', headers: {} });
    const { statusCode, headers, body } = result as { statusCode: number; headers: object; body: { data: string } };
    expect([statusCode, headers]).toEqual([
      404,
      {
        'content-type': { value: 'application/json' },
        'cache-control': { value: 'private, no-store' },
        'x-content-type-options': { value: 'nosniff' },
      },
    ]);
    expect(JSON.parse(body.data)).toEqual({
      error: 'No interface has an operation `GET` at this path. The interfaces are below /v2 and /v1.',
      code: 'ROUTE_NOT_FOUND',
      requestId: 'r-1',
    });
  });

  it('lets web pages of the allowed origin read the error', () => {
    const { template: open } = stackOf(synthesizeWith({ corsOrigin: 'https://console.example.com' }), 'Platform');
    expect(run(open, 'NoInterface', { method: 'GET', uri: '/elsewhere', headers: {} }).result).toMatchObject({
      headers: { 'access-control-allow-origin': { value: 'https://console.example.com' } },
    });
  });
});

describe('a deployment of the distribution', () => {
  const dependenciesOf = (type: string) =>
    Object.entries(template.findResources(type)).map(([id, { DependsOn = [] }]) => [id, [DependsOn].flat()] as const);
  const service = onlyOne(template, 'AWS::ECS::Service').id;

  it('sends large bodies to the ingress only after its service is complete', () => {
    const [[, ofDistribution] = []] = dependenciesOf('AWS::CloudFront::Distribution');
    expect(ofDistribution).toContain(service);
    const choosing = dependenciesOf('AWS::CloudFront::Function').filter(([id]) =>
      String(template.findResources('AWS::CloudFront::Function')[id]?.Properties.FunctionCode).includes("'ingress'"),
    );
    expect(choosing).toHaveLength(1);
    expect(choosing[0]?.[1]).toContain(service);
  });

  it('creates the origin in the VPC while the tasks of the ingress start', () => {
    const [[, ofOrigin] = []] = dependenciesOf('AWS::CloudFront::VpcOrigin');
    expect(ofOrigin).not.toContain(service);
    expect(ofOrigin).toEqual([expect.stringMatching(/^IngressLoadBalancer/)]);
  });
});
