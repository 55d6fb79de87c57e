import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { LocalError } from '../local-error.ts';

export interface Image {
  /** A program and its arguments. */
  readonly command: readonly [string, ...string[]];
  /** Path of the health check. */
  readonly health?: string;
  /** The variable that gets the port of this machine, by container port. */
  readonly ports?: Readonly<Record<string, string>>;
}

const listSchema = z.record(
  z.string(),
  z.strictObject({
    command: z.tuple([z.string()], z.string()),
    health: z.optional(z.string()),
    ports: z.optional(z.record(z.string().check(z.regex(/^\d+$/)), z.string())),
  }),
);

const imagesFile = join(import.meta.dirname, '..', 'images.yaml');

function contentOf(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new LocalError(`${file} is not a list of images: ${(error as Error).message}`);
  }
}

function readList(file: string): ReadonlyMap<string, Image> {
  const list = z.safeParse(listSchema, contentOf(file));
  if (list.success) return new Map(Object.entries(list.data));
  const places = list.error.issues.map(({ path }) => path.join('.'));
  throw new LocalError(`${file} is not a list of images: see ${places.join(', ')}.`);
}

/**
 * Reads the images.
 * @param more a file with more images, which overrides images of the same name
 * @throws LocalError if a file is not a list of images
 */
export const readImages = (more?: string): ReadonlyMap<string, Image> =>
  new Map([...readList(imagesFile), ...(more === undefined ? [] : readList(more))]);
