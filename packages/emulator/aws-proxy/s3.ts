/** Describes requests to S3, whose operations differ by method, path, query and headers. */
import type { IncomingHttpHeaders } from 'node:http';
import { account } from '../account.ts';
import { AwsFault } from './aws-fault.ts';
import { type Described, unknownOperation } from './described.ts';

export interface S3Request {
  readonly method: string;
  /** The path and the query string as received, in path style. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

export interface S3Described extends Described {
  readonly operation: string;
  /** Whether AWS hides a missing object from callers without permission to list the bucket. */
  readonly hidesAbsence: boolean;
}

interface Route {
  readonly on: 'bucket' | 'object';
  readonly method: string;
  /** Query parameters that the operation requires. */
  readonly with: readonly string[];
  /** Query parameters that do not change the required access. */
  readonly may?: readonly string[];
  readonly operation: string;
  readonly action: string;
}

const RESPONSE_HEADERS = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
];
const READING = ['partNumber', 'response-expires', ...RESPONSE_HEADERS.map((name) => `response-${name}`)];
const LISTING = [
  'prefix',
  'delimiter',
  'max-keys',
  'continuation-token',
  'start-after',
  'encoding-type',
  'fetch-owner',
];

const object = { on: 'object', action: 'PutObject' } as const;
const part = ['partNumber', 'uploadId'];

const ROUTES: readonly Route[] = [
  { on: 'object', method: 'GET', with: [], may: READING, operation: 'GetObject', action: 'GetObject' },
  { on: 'object', method: 'HEAD', with: [], may: READING, operation: 'HeadObject', action: 'GetObject' },
  { ...object, method: 'PUT', with: [], operation: 'PutObject' },
  { ...object, method: 'PUT', with: part, operation: 'UploadPart' },
  { ...object, method: 'POST', with: ['uploads'], operation: 'CreateMultipartUpload' },
  { ...object, method: 'POST', with: ['uploadId'], operation: 'CompleteMultipartUpload' },
  { on: 'object', method: 'DELETE', with: [], operation: 'DeleteObject', action: 'DeleteObject' },
  {
    on: 'object',
    method: 'DELETE',
    with: ['uploadId'],
    operation: 'AbortMultipartUpload',
    action: 'AbortMultipartUpload',
  },
  { on: 'bucket', method: 'GET', with: ['list-type'], may: LISTING, operation: 'ListObjectsV2', action: 'ListBucket' },
  { on: 'bucket', method: 'HEAD', with: [], operation: 'HeadBucket', action: 'ListBucket' },
];

/** Headers that add an action to a write. */
const MORE_ACTIONS: Readonly<Record<string, string>> = {
  'x-amz-tagging': 'PutObjectTagging',
  'x-amz-acl': 'PutObjectAcl',
};
/** Header with the object that a copy reads. The path contains the object that the copy writes. */
const COPY = 'x-amz-copy-source';

const invalidUri = (path: string, cause: unknown) =>
  new AwsFault(400, 'InvalidURI', `Couldn't parse the specified URI: ${path}`, { cause });

/** Splits a URL without normalizing its path: `..` is an ordinary part of a key. */
function split(url: string): { bucket: string; key: string; query: URLSearchParams } {
  const [path = '', query = ''] = url.split('?', 2);
  const [, bucket = '', ...key] = path.split('/');
  try {
    return { bucket, key: decodeURIComponent(key.join('/')), query: new URLSearchParams(query) };
  } catch (cause) {
    throw invalidUri(path, cause);
  }
}

function routeOf(method: string, on: Route['on'], names: readonly string[]): Route | undefined {
  return ROUTES.find(
    (route) =>
      route.on === on &&
      route.method === method &&
      route.with.every((name) => names.includes(name)) &&
      names.every((name) => route.with.includes(name) || route.may?.includes(name)),
  );
}

export const bucketArn = (bucket: string): string => `arn:${account.partition}:s3:::${bucket}`;

/**
 * Describes a request.
 * @throws AwsFault for an unknown request or an invalid path
 */
export function describeS3({ method, url, headers }: S3Request): S3Described {
  const { bucket, key, query } = split(url);
  // The SDK sends the name of the operation in x-id, which S3 does not read.
  const names = [...query.keys()].filter((name) => name !== 'x-id');
  const on = key === '' ? 'bucket' : 'object';
  const route = routeOf(method, on, names);
  if (!route || bucket === '' || headers[COPY] !== undefined)
    throw unknownOperation('s3', `${method} of ${on === 'object' ? 'an object' : 'a bucket'} with ${names.join(', ')}`);
  const resource = on === 'object' ? `${bucketArn(bucket)}/${key}` : bucketArn(bucket);
  const more = Object.entries(MORE_ACTIONS).filter(([header]) => headers[header] !== undefined);
  const actions = [route.action, ...more.map(([, action]) => action)];
  return {
    operation: route.operation,
    accesses: actions.map((action) => ({ action: `s3:${action}`, resource })),
    hidesAbsence: route.action === 'GetObject',
  };
}

/** Returns the access that a caller needs to learn that an object does not exist. */
export const listingAccess = ({ accesses: [access] }: Described) => ({
  action: 's3:ListBucket',
  resource: access?.resource.split('/')[0] ?? '',
});
