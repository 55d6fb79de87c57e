/** The two operations of S3 on payloads. */
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { textOf } from '../../core/http/text.ts';
import type { Service } from '../services/configuration.ts';
import { commandOf, type Operation } from '../services/service-client.ts';

/** Addresses contain the bucket in the path, which emulators and bucket names with a point need. */
export const s3: Service = {
  serviceId: 'S3',
  signingName: 's3',
  timeouts: 'objects',
  hostOf: ({ region, suffix, isFips, isDualStack }) =>
    `s3${isFips ? '-fips' : ''}${isDualStack ? '.dualstack' : ''}.${region}.${suffix}`,
};

interface ObjectKey {
  readonly Bucket: string;
  readonly Key: string;
}

interface NewObject extends ObjectKey {
  readonly Body: Uint8Array;
  readonly ContentType: string;
}

interface FoundObject {
  readonly Body: Readable;
  readonly ContentLength: number | undefined;
  /** CRC-32 of the content in base64, or undefined if S3 has none. */
  readonly ChecksumCRC32: string | undefined;
}

const CHECKSUM = 'x-amz-checksum-crc32';
/** The end of a checksum of the parts of an upload, which is not the checksum of the content. */
const OF_PARTS = /-\d+$/;

/** Returns the CRC-32 of bytes as headers of S3 contain it. */
export function checksumOf(bytes: Uint8Array): string {
  const checksum = Buffer.allocUnsafe(4);
  checksum.writeUInt32BE(crc32(bytes));
  return checksum.toString('base64');
}

/** `encodeURIComponent` does not encode these characters, but signatures contain them encoded. */
const UNENCODED = /[!'()*]/g;
const encoded = (segment: string) =>
  encodeURIComponent(segment).replace(UNENCODED, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
const pathOf = ({ Bucket, Key }: ObjectKey) => [Bucket, ...Key.split('/')].map(encoded).join('/');

/** Elements of an error. */
const CODE = /<Code>([^<]*)<\/Code>/;
const MESSAGE = /<Message>([^<]*)<\/Message>/;

const error: Operation<object, object>['error'] = async ({ body }) => {
  const xml = await textOf(body as Readable);
  return { name: CODE.exec(xml)?.[1], message: MESSAGE.exec(xml)?.[1] };
};

export class GetObjectCommand extends commandOf<ObjectKey, FoundObject>({
  name: 'GetObject',
  request: (key) => ({ method: 'GET', path: pathOf(key), headers: { 'x-amz-checksum-mode': 'ENABLED' } }),
  output: async ({ body, headers: { 'content-length': length, [CHECKSUM]: checksum } }) => ({
    Body: body as Readable,
    ContentLength: length === undefined ? undefined : Number(length),
    ChecksumCRC32: checksum === undefined || OF_PARTS.test(checksum) ? undefined : checksum,
  }),
  error,
}) {}

export class PutObjectCommand extends commandOf<NewObject, object>({
  name: 'PutObject',
  request: ({ Body: body, ContentType, ...key }) => ({
    method: 'PUT',
    path: pathOf(key),
    headers: {
      'content-type': ContentType,
      'x-amz-sdk-checksum-algorithm': 'CRC32',
      [CHECKSUM]: checksumOf(body),
    },
    body,
  }),
  async output({ body }) {
    // A response that nothing reads would keep its connection.
    await textOf(body as Readable);
    return {};
  },
  error,
}) {}
