/** The bucket of the console in Amazon S3. CloudFront serves the objects below `console/`. */
import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import type { ConsoleStore, Replaced } from '../../core/console/publish.ts';
import { environment } from '../environment.ts';
import { requestHandler } from '../request-handler.ts';

const FOLDER = 'console/';
/** Key of the list of replaced files, outside of `console/`, so that no page can load the list. */
const REPLACED = 'replaced.json';

export function createConsoleBucket(): ConsoleStore {
  const client = new S3Client({ requestHandler: requestHandler('objects'), forcePathStyle: true });
  const Bucket = environment('CONSOLE_BUCKET');

  async function keys(): Promise<string[]> {
    const found: string[] = [];
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket }))
      found.push(...Contents.flatMap(({ Key }) => Key ?? []));
    return found;
  }
  const removeKey = (Key: string) => client.send(new DeleteObjectCommand({ Bucket, Key }));

  return {
    async paths() {
      return (await keys()).filter((key) => key.startsWith(FOLDER)).map((key) => key.slice(FOLDER.length));
    },

    async write({ path, content, contentType, cacheControl, encoding }) {
      const headers = { ContentType: contentType, CacheControl: cacheControl, ContentEncoding: encoding };
      await client.send(new PutObjectCommand({ Bucket, Key: `${FOLDER}${path}`, Body: content, ...headers }));
    },

    async remove(path) {
      await removeKey(`${FOLDER}${path}`);
    },

    async readReplaced() {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: REPLACED }));
        return JSON.parse((await Body?.transformToString()) ?? '{}') as Replaced;
      } catch (error) {
        if (error instanceof NoSuchKey) return {};
        throw error;
      }
    },

    async writeReplaced(replaced) {
      const Body = JSON.stringify(replaced);
      await client.send(new PutObjectCommand({ Bucket, Key: REPLACED, Body, ContentType: 'application/json' }));
    },

    async clear() {
      await Promise.all((await keys()).map(removeKey));
    },
  };
}
