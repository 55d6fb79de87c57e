import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { onlyOne } from '../front-door/template.ts';
import { stackOf, synthesizeWith } from '../synthesis.ts';

const { template } = stackOf(synthesizeWith({}), 'Platform');
const without = stackOf(synthesizeWith({ console: 'off' }), 'Platform').template;

interface Behavior {
  readonly PathPattern: string;
  readonly ResponseHeadersPolicyId?: unknown;
}

const distribution = (from = template) => onlyOne(from, 'AWS::CloudFront::Distribution');
const behaviors: readonly Behavior[] = distribution().properties.DistributionConfig.CacheBehaviors;
const ofConsole = behaviors.filter(({ PathPattern }) => PathPattern.startsWith('/console'));

const [[bucketId = '', bucket] = []] = Object.entries(template.findResources('AWS::S3::Bucket'));

/** Runs the named function, as CloudFront does. */
function run(from: typeof template, name: string, uri: string, ip = '203.0.113.7', method = 'GET') {
  const functions = Object.entries(from.findResources('AWS::CloudFront::Function'));
  const [code] = functions.filter(([id]) => id.includes(name)).map(([, { Properties }]) => Properties.FunctionCode);
  const event = { request: { method, uri, headers: {} }, viewer: { ip }, context: { requestId: 'r-1' } };
  return JSON.parse(String(runInNewContext(`${code}\nJSON.stringify(handler(event));`, { event })));
}

describe('the files of the console', () => {
  it('are in a bucket that cannot be made public', () => {
    expect(bucket?.Properties).toMatchObject({
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
    });
  });

  it('can be read only by this distribution, which signs its requests', () => {
    const { id: accessId, properties: access } = onlyOne(template, 'AWS::CloudFront::OriginAccessControl');
    expect(access.OriginAccessControlConfig).toMatchObject({ SigningBehavior: 'always', SigningProtocol: 'sigv4' });
    const origins: readonly { Id: string }[] = distribution().properties.DistributionConfig.Origins;
    expect(origins.find(({ Id }) => Id === 'console')).toMatchObject({
      DomainName: { 'Fn::GetAtt': [bucketId, 'RegionalDomainName'] },
      OriginAccessControlId: { 'Fn::GetAtt': [accessId, 'Id'] },
    });
    const statements: readonly Record<string, unknown>[] = onlyOne(template, 'AWS::S3::BucketPolicy').properties
      .PolicyDocument.Statement;
    const allowing = statements.filter(({ Effect }) => Effect === 'Allow');
    expect(allowing).toHaveLength(1);
    expect(allowing[0]).toMatchObject({ Action: 's3:GetObject', Principal: { Service: 'cloudfront.amazonaws.com' } });
    expect(JSON.stringify(allowing[0]?.Resource)).toContain('/console/*');
    expect(JSON.stringify(allowing[0]?.Condition)).toContain(`"AWS:SourceArn"`);
    expect(JSON.stringify(allowing[0]?.Condition)).toContain(`"Fn::GetAtt":["${distribution().id}","Id"]`);
  });

  it('are served as they are stored, and HTTP is redirected to HTTPS', () => {
    expect(ofConsole.map(({ PathPattern }) => PathPattern)).toEqual(['/console', '/console/*']);
    for (const behavior of ofConsole)
      expect(behavior).toMatchObject({
        TargetOriginId: 'console',
        AllowedMethods: ['GET', 'HEAD'],
        Compress: false,
        ViewerProtocolPolicy: 'redirect-to-https',
      });
  });
});

describe('the headers of the console', () => {
  const { id, properties } = onlyOne(template, 'AWS::CloudFront::ResponseHeadersPolicy');
  const { SecurityHeadersConfig, CustomHeadersConfig } = properties.ResponseHeadersPolicyConfig;

  it('are set on both paths of the console, and on neither interface', () => {
    const policies = behaviors.map(({ PathPattern, ResponseHeadersPolicyId }) => [
      PathPattern,
      ResponseHeadersPolicyId,
    ]);
    const expected = { 'Fn::GetAtt': [id, 'Id'] };
    expect(policies).toEqual([
      ['/v2/*', undefined],
      ['/v1/*', undefined],
      ['/console', expected],
      ['/console/*', expected],
    ]);
  });

  it('allow pages to run only deployed scripts and load only deployed files', () => {
    const policy = JSON.stringify(SecurityHeadersConfig.ContentSecurityPolicy.ContentSecurityPolicy);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:;");
    expect(policy).toContain("base-uri 'none'; form-action 'self'; frame-ancestors 'none';");
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types dompurify");
    expect(policy).not.toContain('unsafe-');
    expect(policy).not.toContain('*');
  });

  it('allow pages to call the distribution and the sign-in pages', () => {
    const policy = JSON.stringify(SecurityHeadersConfig.ContentSecurityPolicy.ContentSecurityPolicy);
    expect(policy).toMatch(/connect-src 'self' https:\/\/[^;]*amazoncognito\.com; worker-src/);
  });

  it('require HTTPS, forbid frames, and hide the address of the page from other sites', () => {
    expect(SecurityHeadersConfig).toMatchObject({
      ContentTypeOptions: { Override: true },
      FrameOptions: { FrameOption: 'DENY', Override: true },
      ReferrerPolicy: { ReferrerPolicy: 'no-referrer', Override: true },
      StrictTransportSecurity: { AccessControlMaxAgeSec: 31_536_000, Override: true },
    });
    expect(CustomHeadersConfig.Items).toEqual([
      { Header: 'Cross-Origin-Opener-Policy', Value: 'same-origin', Override: true },
    ]);
  });
});

describe('the function for requests to the console', () => {
  it.each([
    ['/console/', '/console/index.html'],
    ['/console/endpoints/echo', '/console/index.html'],
    ['/console/endpoints/a.b/jobs/x.js', '/console/index.html'],
    ['/console/signed-in', '/console/index.html'],
    ['/console/config.json', '/console/config.json'],
    ['/console/assets/index-1a2b.js', '/console/assets/index-1a2b.js'],
  ])('answers %s with %s', (path, file) => {
    expect(run(template, 'OpenPage', path)).toMatchObject({ method: 'GET', uri: file });
  });

  it('redirects the path without a slash to the console', () => {
    expect(run(template, 'OpenPage', '/console')).toMatchObject({
      statusCode: 302,
      headers: { location: { value: '/console/' } },
    });
  });

  it('is within the size limit of CloudFront with the maximum number of networks', () => {
    const consoleAllow = Array.from({ length: 50 }, (_, at) => `2001:db8:0:${at}::/128`);
    const many = stackOf(synthesizeWith({ consoleAllow }), 'Platform').template;
    const codes = Object.values(many.findResources('AWS::CloudFront::Function')).map(({ Properties }) =>
      Buffer.byteLength(Properties.FunctionCode),
    );
    expect(Math.max(...codes)).toBeLessThanOrEqual(10_240);
  });
});

describe('the root of the distribution', () => {
  it('redirects browsers to the console', () => {
    for (const method of ['GET', 'HEAD'])
      expect(run(template, 'NoInterface', '/', undefined, method)).toMatchObject({
        statusCode: 302,
        headers: { location: { value: '/console/' } },
      });
  });

  it('answers 404 to POST, and to every method if the console is off', () => {
    expect(run(template, 'NoInterface', '/', undefined, 'POST')).toMatchObject({ statusCode: 404 });
    expect(run(without, 'NoInterface', '/')).toMatchObject({ statusCode: 404 });
  });
});

describe('the setting consoleAllow', () => {
  const allowing = stackOf(synthesizeWith({ consoleAllow: '203.0.113.0/25,2001:db8:8000::/33' }), 'Platform').template;

  it.each([
    ['203.0.113.7', true],
    ['203.0.113.127', true],
    ['203.0.113.128', false],
    ['2001:db8:8000::1', true],
    ['2001:db8:ffff:1:2:3:4:5', true],
    ['2001:db8:7fff::1', false],
    ['::1', false],
  ])('decides whether the address %s may open the console: %j', (address, may) => {
    const result = run(allowing, 'OpenPage', '/console/', address);
    if (may) expect(result).toMatchObject({ uri: '/console/index.html' });
    else expect(result).toMatchObject({ statusCode: 403, body: { data: expect.stringContaining('consoleAllow') } });
  });

  it('accepts single addresses', () => {
    const { template: one } = stackOf(
      synthesizeWith({ consoleAllow: ['198.51.100.1/32', '2001:db8::1/128'] }),
      'Platform',
    );
    expect(run(one, 'OpenPage', '/console/', '198.51.100.1')).toMatchObject({ uri: '/console/index.html' });
    expect(run(one, 'OpenPage', '/console/', '198.51.100.2')).toMatchObject({ statusCode: 403 });
    expect(run(one, 'OpenPage', '/console/', '2001:db8:0:0::1')).toMatchObject({ uri: '/console/index.html' });
    expect(run(one, 'OpenPage', '/console/', '2001:db8::1:1')).toMatchObject({ statusCode: 403 });
  });

  it.each([
    '203.0.113.0',
    '203.0.113.0/33',
    'office',
    '2001:db8::/129',
    '::ffff:192.0.2.1/120',
    'fe80::1%eth0/64',
    [],
    ['10.0.0.0/8', 3],
  ])('rejects %j with an error that describes the allowed values', (consoleAllow) => {
    expect(() => synthesizeWith({ consoleAllow })).toThrow(
      'The context `consoleAllow` must be 1 to 50 networks such as 203.0.113.0/24,2001:db8::/32, got ',
    );
  });
});

describe('the setting console', () => {
  it('removes all resources of the console when it is off', () => {
    const types = ['AWS::S3::Bucket', 'AWS::CloudFront::OriginAccessControl', 'AWS::CloudFront::ResponseHeadersPolicy'];
    for (const type of [...types, 'Custom::ConsoleFiles']) without.resourceCountIs(type, 0);
    expect(Object.keys(without.toJSON().Resources).filter((id) => id.startsWith('Console'))).toEqual([]);
    expect(Object.keys(without.toJSON().Outputs)).not.toContain('ConsoleUrl');
    expect(JSON.stringify(distribution(without).properties)).not.toContain('console');
  });

  it('does not remove the distribution, so that its address stays the same', () => {
    expect(distribution(without).id).toBe(distribution().id);
  });

  it('rejects any other value with an error that lists the allowed values', () => {
    expect(() => synthesizeWith({ console: 'on' })).toThrow('The context `console` must be off or omitted, got "on".');
  });
});
