/** The payload bucket in Amazon S3. */
import type { Readable } from 'node:stream';
import type { Objects } from '../../core/jobs/store.ts';
import { SECOND } from '../../core/limits.ts';
import type { OnClient } from '../clients.ts';
import { environment } from '../environment.ts';
import { ServiceClient } from '../services/service-client.ts';
import { checksumOf, GetObjectCommand, PutObjectCommand, s3 } from './s3-operations.ts';

/**
 * Maximum time from the headers of an object to the end of its content. The timeout of the client covers only the
 * time until the headers.
 */
const CONTENT_LIMIT = 30 * SECOND;

/** Reads the content into memory that is allocated once. The SDK would collect the pieces and then copy them. */
async function contentOf(body: Readable, length: number, checksum: string | undefined, limit: number): Promise<Buffer> {
  const late = setTimeout(() => body.destroy(new Error(`An object did not arrive within ${limit} ms.`)), limit);
  try {
    const content = Buffer.allocUnsafe(length);
    let at = 0;
    for await (const piece of body as AsyncIterable<Buffer>) at += piece.copy(content, at);
    if (at !== length) throw new Error(`An object arrived with ${at} of its ${length} bytes.`);
    if (checksum !== undefined && checksum !== checksumOf(content))
      throw new Error('An object arrived with content that does not match its checksum.');
    return content;
  } finally {
    clearTimeout(late);
  }
}

/** @param contentLimit maximum milliseconds for the content of an object to arrive. A read that takes longer fails */
export function createS3Objects(onClient?: OnClient, contentLimit: number = CONTENT_LIMIT): Objects {
  const client = new ServiceClient(s3);
  onClient?.(client);
  const Bucket = environment('PAYLOADS_BUCKET');
  return {
    async write(Key, Body) {
      await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType: 'application/json' }));
    },

    async read(Key, reserve) {
      const { Body, ContentLength, ChecksumCRC32 } = await client.send(new GetObjectCommand({ Bucket, Key }));
      if (ContentLength === undefined) throw new Error(`The object ${Key} has no length.`);
      try {
        reserve?.(ContentLength);
      } catch (error) {
        Body.destroy();
        throw error;
      }
      return contentOf(Body, ContentLength, ChecksumCRC32, contentLimit);
    },
  };
}
