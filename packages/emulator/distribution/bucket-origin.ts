/** A bucket as an origin: CloudFront reads the object at the path from S3, with the distribution's signature. */

import { Readable } from 'node:stream';
import { GetObjectCommand, type S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import type { HttpAnswer } from '../gateway/gateway-response.ts';
import type { IncomingRequest } from '../gateway/request.ts';
import { headerPairs, splitUrl } from './event.ts';
import type { Origin } from './origin.ts';

export interface BucketOrigin {
  readonly s3: S3Client;
  readonly bucket: string;
  /** Returns whether the policy of the bucket lets the distribution read the object. */
  allows(key: string): boolean;
  /** Awaited before each request. A rejection is answered with 503. */
  ready(key: string): Promise<void>;
}

const xml = (status: number, code: string, message: string): HttpAnswer => ({
  status,
  headers: [['Content-Type', 'application/xml']],
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`,
});

/**
 * Response of S3 to a denied read. S3 also sends it for an object that does not exist, because the distribution has
 * no permission to list the bucket.
 */
const denied = xml(403, 'AccessDenied', 'Access Denied');

function keyOf(url: string): string | undefined {
  try {
    return decodeURIComponent(splitUrl(url).path.slice(1));
  } catch {
    return undefined;
  }
}

/** Returns the ETags of the object that the browser has cached; the S3 emulator does not compare ETags. */
function knownTags({ rawHeaders }: IncomingRequest): string[] {
  const conditions = [...headerPairs(rawHeaders)].filter(([name]) => name === 'if-none-match');
  return conditions.flatMap(([, value]) => value.split(',').map((tag) => tag.trim().replace(/^W\//, '')));
}

async function read({ s3, bucket }: BucketOrigin, Key: string, request: IncomingRequest): Promise<HttpAnswer> {
  const found = await s3.send(new GetObjectCommand({ Bucket: bucket, Key }));
  const headers = [
    ['Content-Type', found.ContentType],
    ['Content-Length', found.ContentLength === undefined ? undefined : String(found.ContentLength)],
    ['Content-Encoding', found.ContentEncoding],
    ['Cache-Control', found.CacheControl],
    ['ETag', found.ETag],
    ['Last-Modified', found.LastModified?.toUTCString()],
  ] as const;
  const known = headers.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  const body = found.Body instanceof Readable ? found.Body : '';
  if (found.ETag === undefined || !knownTags(request).includes(found.ETag))
    return { status: 200, headers: known, body };
  if (body !== '') body.destroy();
  return { status: 304, headers: known.filter(([name]) => !/^Content-/.test(name)), body: '' };
}

const statusOf = (error: unknown) => (error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined);

export function bucketOrigin(origin: BucketOrigin): Origin['send'] {
  return async (request) => {
    const key = keyOf(request.url);
    if (key === undefined) return xml(400, 'InvalidURI', 'The URI is not valid.');
    if (!origin.allows(key)) return denied;
    try {
      await origin.ready(key);
    } catch (error) {
      const { message } = error as Error;
      return { status: 503, headers: [['Content-Type', 'text/plain; charset=utf-8']], body: message };
    }
    try {
      return await read(origin, key, request);
    } catch (error) {
      if (statusOf(error) === 404) return denied;
      throw error;
    }
  };
}
