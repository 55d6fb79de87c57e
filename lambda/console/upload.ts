import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { createConsoleBucket } from '../../aws/console/bucket.ts';
import { environment } from '../../aws/environment.ts';
import { type ConsoleFile, publish } from '../../core/console/publish.ts';
import { customResource } from '../custom-resource.ts';

const store = createConsoleBucket();

/** Folder in the function's code with the built files and their list. */
const FILES = 'files';

const listSchema = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      contentType: z.string(),
      cacheControl: z.string(),
      encoding: z.optional(z.string()),
    }),
  ),
});

/** The sign-in settings, which the page loads first. */
const configSchema = z.object({ issuer: z.string(), signIn: z.string(), client: z.string() });

const propertiesSchema = z.object({
  /** Hash of the sources of the build. A new hash makes CloudFormation call this function. */
  sources: z.string(),
  config: configSchema,
});

/**
 * Reads the built files.
 * @throws Error if the function was deployed without the files
 */
function readFiles(): ConsoleFile[] {
  const folder = join(environment('LAMBDA_TASK_ROOT'), FILES);
  const { files } = listSchema.parse(JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8')));
  return files.map((file) => ({ ...file, content: readFileSync(join(folder, file.path)) }));
}

const configFile = (config: z.output<typeof configSchema>): ConsoleFile => ({
  path: 'config.json',
  contentType: 'application/json',
  cacheControl: 'no-cache',
  content: Buffer.from(JSON.stringify(config)),
});

/** The value of `sources` in a deployment that builds the console at its first request. */
const LATER = 'later';

/**
 * The custom resource of the console's files: the function writes the files to the bucket, and empties the bucket
 * when the resource is deleted.
 */
export const handler = customResource(
  async ({ RequestType, ResourceProperties }) => {
    if (RequestType === 'Delete') {
      await store.clear();
      return undefined;
    }
    const { sources, config } = propertiesSchema.parse(ResourceProperties);
    if (sources === LATER) await store.write(configFile(config));
    else await publish(store, [...readFiles(), configFile(config)], Date.now());
    return undefined;
  },
  () => 'console-files',
);
