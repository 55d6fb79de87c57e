/** The payload bucket in Amazon S3. */
import type { Readable } from 'node:stream';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { Objects } from '../../core/jobs/store.ts';
import { SECOND } from '../../core/limits.ts';
import type { OnClient } from '../clients.ts';
import { environment } from '../environment.ts';
import { requestHandler } from '../request-handler.ts';

/**
 * Maximum time from the headers of an object to the end of its content. The timeout of the client covers only the
 * time until the headers.
 */
const CONTENT_LIMIT = 30 * SECOND;

/** Reads the content into memory that is allocated once. The SDK would collect the pieces and then copy them. */
async function contentOf(body: Readable, length: number, limit: number): Promise<Buffer> {
  // The connection must be destroyed, because the loop below waits for it.
  const late = setTimeout(() => body.destroy(new Error(`An object did not arrive within ${limit} ms.`)), limit);
  try {
    const content = Buffer.allocUnsafe(length);
    let at = 0;
    for await (const piece of body as AsyncIterable<Buffer>) at += piece.copy(content, at);
    if (at !== length) throw new Error(`An object arrived with ${at} of its ${length} bytes.`);
    return content;
  } finally {
    clearTimeout(late);
  }
}

/**
 * Stores payloads as objects in the payload bucket.
 * @param contentLimit maximum milliseconds for the content of an object to arrive. A read that takes longer fails
 */
export function createS3Objects(onClient?: OnClient, contentLimit: number = CONTENT_LIMIT): Objects {
  // Emulators and bucket names with a point need the bucket in the path.
  const client = new S3Client({ requestHandler: requestHandler('objects'), forcePathStyle: true });
  onClient?.(client);
  const Bucket = environment('PAYLOADS_BUCKET');
  return {
    async write(Key, Body) {
      await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType: 'application/json' }));
    },

    async read(Key, reserve) {
      // The SDK compares the content with the checksum that S3 stores.
      const get = new GetObjectCommand({ Bucket, Key, ChecksumMode: 'ENABLED' });
      const { Body, ContentLength } = await client.send(get);
      if (!Body || ContentLength === undefined) throw new Error(`The object ${Key} has no length.`);
      const body = Body as Readable;
      try {
        reserve?.(ContentLength);
      } catch (error) {
        body.destroy();
        throw error;
      }
      return contentOf(body, ContentLength, contentLimit);
    },
  };
}
