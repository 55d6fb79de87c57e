/** The payload bucket over Amazon S3, once it is needed: `objects.ts` loads this. */
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { Objects } from '../core/world.ts';
import type { OnClient } from './clients.ts';
import { environment } from './environment.ts';
import { requestHandler } from './request-handler.ts';

export function createS3Objects(onClient?: OnClient): Objects {
  const client = new S3Client({ requestHandler: requestHandler('objects'), forcePathStyle: true });
  onClient?.(client);
  const Bucket = environment('PAYLOADS_BUCKET');
  return {
    async write(Key, Body) {
      await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType: 'application/json' }));
    },

    async read(Key) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
      if (!Body) throw new Error(`The object ${Key} has no content.`);
      return Body.transformToString();
    },
  };
}
