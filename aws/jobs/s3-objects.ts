/** The payload bucket in Amazon S3. `objects.ts` loads this module when it is needed. */
import { Readable } from 'node:stream';
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

/** @param contentLimit maximum milliseconds for the content of an object to arrive. A read that takes longer fails */
export function createS3Objects(onClient?: OnClient, contentLimit: number = CONTENT_LIMIT): Objects {
  const client = new S3Client({ requestHandler: requestHandler('objects'), forcePathStyle: true });
  onClient?.(client);
  const Bucket = environment('PAYLOADS_BUCKET');
  return {
    async write(Key, Body) {
      await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType: 'application/json' }));
    },

    async read(Key, reserve) {
      const { Body, ContentLength } = await client.send(new GetObjectCommand({ Bucket, Key }));
      if (!(Body instanceof Readable) || ContentLength === undefined)
        throw new Error(`The object ${Key} has no content.`);
      try {
        reserve?.(ContentLength);
      } catch (error) {
        Body.destroy();
        throw error;
      }
      return contentOf(Body, ContentLength, contentLimit);
    },
  };
}
