/** Tests a private bucket behind a distribution, and the headers that the distribution adds. */
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { CACHING_DISABLED } from '../../distribution/definitions.ts';
import { type Emulators, startEmulators } from '../../emulators/emulators.ts';
import { code } from '../gateway/small-api.ts';
import { createSharedFunctions, newFolder, type SmallService, startSmallService } from '../small-service.ts';
import { ask, distributed, jobs, OPEN } from './small-distribution.ts';

const functions = createSharedFunctions();
let emulators: Emulators;
let s3: S3Client;
let service: SmallService | undefined;

beforeAll(async () => {
  emulators = await startEmulators(newFolder());
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  s3 = new S3Client({ region: 'us-east-1', credentials, endpoint: emulators.s3Url, forcePathStyle: true });
});

afterAll(async () => {
  await functions.stop();
  await emulators.stop();
});

afterEach(() => service?.stop());

const BUCKET = 'small-pages';
const THIS = { Ref: 'Distribution' };

/**
 * Returns the resources of a bucket behind a distribution.
 * @param reader id of the distribution that can read the bucket
 */
function resources(reader: unknown = THIS) {
  const pages = {
    PathPattern: '/pages/*',
    TargetOriginId: 'pages',
    AllowedMethods: ['GET', 'HEAD'],
    ViewerProtocolPolicy: 'redirect-to-https',
    CachePolicyId: CACHING_DISABLED,
    ResponseHeadersPolicyId: { Ref: 'Headers' },
  };
  const origin = {
    Id: 'pages',
    DomainName: { 'Fn::GetAtt': ['Pages', 'RegionalDomainName'] },
    OriginAccessControlId: { 'Fn::GetAtt': ['Access', 'Id'] },
    S3OriginConfig: { OriginAccessIdentity: '' },
  };
  const source = { 'Fn::Join': ['/', ['arn:aws:cloudfront::000000000000:distribution', reader]] };
  return {
    ...distributed({ Origins: [jobs(), origin], CacheBehaviors: [pages] }),
    Pages: { Type: 'AWS::S3::Bucket', Properties: { BucketName: BUCKET } },
    Access: {
      Type: 'AWS::CloudFront::OriginAccessControl',
      Properties: {
        OriginAccessControlConfig: {
          Name: 'small',
          OriginAccessControlOriginType: 's3',
          SigningBehavior: 'always',
          SigningProtocol: 'sigv4',
        },
      },
    },
    Headers: {
      Type: 'AWS::CloudFront::ResponseHeadersPolicy',
      Properties: {
        ResponseHeadersPolicyConfig: {
          Name: 'small',
          SecurityHeadersConfig: {
            ContentSecurityPolicy: { ContentSecurityPolicy: "default-src 'none'", Override: true },
            ContentTypeOptions: { Override: true },
            FrameOptions: { FrameOption: 'DENY', Override: true },
            ReferrerPolicy: { ReferrerPolicy: 'no-referrer', Override: true },
            StrictTransportSecurity: { AccessControlMaxAgeSec: 60, IncludeSubdomains: true, Override: true },
          },
          CustomHeadersConfig: { Items: [{ Header: 'Cache-Control', Value: 'private', Override: true }] },
        },
      },
    },
    Policy: {
      Type: 'AWS::S3::BucketPolicy',
      Properties: {
        Bucket: { Ref: 'Pages' },
        PolicyDocument: {
          Version: '2012-10-17',
          Statement: [
            {
              Effect: 'Allow',
              Principal: { Service: 'cloudfront.amazonaws.com' },
              Action: 's3:GetObject',
              Resource: `arn:aws:s3:::${BUCKET}/pages/*`,
              Condition: { StringEquals: { 'AWS:SourceArn': source } },
            },
          ],
        },
      },
    },
  };
}

async function start(reader?: unknown): Promise<SmallService> {
  service = await startSmallService({ Small: { Resources: resources(reader) } }, code, { functions, emulators });
  const headers = { ContentType: 'text/html', CacheControl: 'no-cache', ContentEncoding: 'identity' };
  await s3.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'pages/a b.html', Body: '<p>', ...headers }));
  await s3.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'secret.html', Body: '<p>', ...headers }));
  return service;
}

describe('a bucket behind a distribution', () => {
  it('serves an object with its stored headers', async () => {
    const { url } = await start();
    const { status, headers, text } = await ask(url, '/pages/a%20b.html?version=2');
    expect([status, text]).toEqual([200, '<p>']);
    expect(headers).toMatchObject({
      'content-type': 'text/html',
      'content-encoding': 'identity',
      'content-length': '3',
    });
  });

  it('replaces headers of the object with the headers of the policy', async () => {
    const { url } = await start();
    const { headers } = await ask(url, '/pages/a%20b.html');
    expect(headers).toMatchObject({
      'content-security-policy': "default-src 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=60; includeSubDomains',
      'cache-control': 'private',
    });
  });

  it('adds the headers of the policy to refusals too, but not to responses of an API', async () => {
    const { url } = await start();
    const [missing, ofApi] = await Promise.all([ask(url, '/pages/none.html'), ask(url, OPEN)]);
    expect(missing.headers['content-security-policy']).toBe("default-src 'none'");
    expect(ofApi.status).toBe(200);
    expect(ofApi.headers).not.toHaveProperty('content-security-policy');
  });

  it('responds to HEAD without a body', async () => {
    const { url } = await start();
    const { status, headers, text } = await ask(url, '/pages/a%20b.html', { method: 'HEAD' });
    expect([status, headers['content-length'], text]).toEqual([200, '3', '']);
  });

  it('returns 304 to a browser that has cached the object', async () => {
    const { url } = await start();
    const { ETag } = await s3.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'pages/b.html', Body: 'b' }));
    const known = await ask(url, '/pages/b.html', { headers: { 'If-None-Match': String(ETag) } });
    expect([known.status, known.text, known.headers.etag]).toEqual([304, '', ETag]);
    expect((await ask(url, '/pages/b.html', { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
  });

  it('returns 403 for a missing object, as S3 does for callers without permission to list the bucket', async () => {
    const { url } = await start();
    const { status, text } = await ask(url, '/pages/none.html');
    expect([status, text]).toEqual([403, expect.stringContaining('AccessDenied')]);
  });

  it('refuses methods other than GET and HEAD', async () => {
    const { url } = await start();
    expect((await ask(url, '/pages/a%20b.html', { method: 'DELETE' })).status).toBe(403);
  });

  it('serves no object if the policy of the bucket names another distribution', async () => {
    const { url } = await start('E0OTHER');
    expect((await ask(url, '/pages/a%20b.html')).status).toBe(403);
  });
});
