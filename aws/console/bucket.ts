/** The bucket of the console in Amazon S3. CloudFront serves the objects below `console/`. */
import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import * as z from 'zod/mini';
import type { ConsoleStore, Replaced } from '../../core/console/publish.ts';
import { environment } from '../environment.ts';
import { requestHandler } from '../request-handler.ts';

const FOLDER = 'console/';
/** Key of the list of replaced files, outside of `console/`, so that no page can load the list. */
const REPLACED = 'replaced.json';

const replacedSchema = z.record(z.string(), z.number());

/**
 * Parses the list of replaced files, which the bucket stores beside the files.
 * @throws Error if the text is no list of replaced files
 */
function replacedFrom(text: string, bucket: string): Replaced {
  try {
    return replacedSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(
      `The object ${REPLACED} of the bucket ${bucket} must map paths of files to milliseconds since the epoch. Delete it and deploy again: files of earlier builds are then kept for another 30 days.`,
      { cause },
    );
  }
}

export function createConsoleBucket(): ConsoleStore {
  // Emulators and bucket names with a point need the bucket in the path.
  const client = new S3Client({ requestHandler: requestHandler('objects'), forcePathStyle: true });
  const Bucket = environment('CONSOLE_BUCKET');

  async function listKeys(): Promise<string[]> {
    const keys: string[] = [];
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket }))
      keys.push(...Contents.flatMap(({ Key }) => Key ?? []));
    return keys;
  }
  const removeObject = (Key: string) => client.send(new DeleteObjectCommand({ Bucket, Key }));

  return {
    async paths() {
      return (await listKeys()).filter((key) => key.startsWith(FOLDER)).map((key) => key.slice(FOLDER.length));
    },

    async write({ path, content, contentType, cacheControl, encoding }) {
      const headers = { ContentType: contentType, CacheControl: cacheControl, ContentEncoding: encoding };
      await client.send(new PutObjectCommand({ Bucket, Key: `${FOLDER}${path}`, Body: content, ...headers }));
    },

    async remove(path) {
      await removeObject(`${FOLDER}${path}`);
    },

    async readReplaced() {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: REPLACED }));
        return replacedFrom((await Body?.transformToString()) ?? '{}', Bucket);
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
      await Promise.all((await listKeys()).map(removeObject));
    },
  };
}
