/** The payload bucket over Amazon S3, once it is needed: `objects.ts` loads this. */
import { Readable } from 'node:stream';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { Objects } from '../../core/jobs/store.ts';
import { SECOND } from '../../core/limits.ts';
import type { OnClient } from '../clients.ts';
import { environment } from '../environment.ts';
import { requestHandler } from '../request-handler.ts';

/** The content of an object arrives within this time after its headers: the time-out of the client ends with the headers. */
const CONTENT_LIMIT = 30 * SECOND;

/** Collects the content in memory that is allocated once: the SDK collects the pieces, and copies them when it has all. */
async function contentOf(body: Readable, length: number, limit: number): Promise<Buffer> {
  const late = setTimeout(() => body.destroy(new Error(`An object did not arrive within ${limit} ms.`)), limit);
  try {
    const content = Buffer.allocUnsafe(length);
    let at = 0;
    for await (const piece of body as AsyncIterable<Buffer>) at += piece.copy(content, at);
    if (at !== length) throw new Error(`An object has ${at} of its ${length} bytes.`);
    return content;
  } finally {
    clearTimeout(late);
  }
}

/** @param contentLimit milliseconds within which the content of an object arrives; a read that takes longer fails */
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
