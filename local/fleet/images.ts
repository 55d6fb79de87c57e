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
}

const listSchema = z.record(
  z.string(),
  z.strictObject({ command: z.tuple([z.string()], z.string()), health: z.optional(z.string()) }),
);

export const imagesFile = join(import.meta.dirname, '..', 'images.yaml');

/** @throws LocalError if the file is not a list of images */
export function readImages(file: string = imagesFile): ReadonlyMap<string, Image> {
  const list = z.safeParse(listSchema, parse(readFileSync(file, 'utf8')));
  if (list.success) return new Map(Object.entries(list.data));
  const places = list.error.issues.map(({ path }) => path.join('.'));
  throw new LocalError(`${file} is no list of images: see ${places.join(', ')}.`);
}
