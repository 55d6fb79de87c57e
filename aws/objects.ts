/** The payload bucket. Its client is loaded when the first object is: most jobs have none, and it takes time to load. */
import type { S3Client } from '@aws-sdk/client-s3';
import type { Objects } from '../core/world.ts';
import { type OnClient, objectTimeouts } from './clients.ts';
import { environment } from './environment.ts';

const load = () => import('@aws-sdk/client-s3');

export function createObjects(onClient?: OnClient): Objects {
  let client: S3Client | undefined;

  async function connect() {
    const { GetObjectCommand, PutObjectCommand, S3Client: Client } = await load();
    if (!client) {
      client = new Client({ requestHandler: objectTimeouts, forcePathStyle: true });
      onClient?.(client);
    }
    return { client, bucket: environment('PAYLOADS_BUCKET'), GetObjectCommand, PutObjectCommand };
  }

  return {
    async write(key, text) {
      const s3 = await connect();
      const put = { Bucket: s3.bucket, Key: key, Body: text, ContentType: 'application/json' };
      await s3.client.send(new s3.PutObjectCommand(put));
    },

    async read(key) {
      const s3 = await connect();
      const { Body } = await s3.client.send(new s3.GetObjectCommand({ Bucket: s3.bucket, Key: key }));
      if (!Body) throw new Error(`The object ${key} has no content.`);
      return Body.transformToString();
    },
  };
}
