import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { LocalError } from '../local-error.ts';
import type { ImageFile } from './image-files.ts';

export interface Image {
  /** A program and its arguments. */
  readonly command: readonly [string, ...string[]];
  /**
   * Folder in which the command runs.
   * @default - the folder of the product
   */
  readonly folder?: string;
  /** Variables that the image sets. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Path of the health check. */
  readonly health?: string | undefined;
  /** The variable that gets the port of this machine, by container port. */
  readonly ports?: Readonly<Record<string, string>> | undefined;
}

/** The part of a command that is replaced by the address at which the container's server listens. */
export const ADDRESS = '{address}';

export const hasAddress = ({ command }: Image): boolean => command.some((part) => part.includes(ADDRESS));

export const imageSchema = z.strictObject({
  command: z.tuple([z.string()], z.string()),
  environment: z.optional(z.record(z.string(), z.string())),
  health: z.optional(z.string()),
  ports: z.optional(z.record(z.string().check(z.regex(/^\d+$/)), z.string())),
});

const listSchema = z.record(z.string(), imageSchema);

function contentOf(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new LocalError(`${file} is not a list of images: ${(error as Error).message}`, { cause: error });
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
 * @param files lists of images; an image overrides those of the same name in earlier lists
 * @throws LocalError if a file is not a list of images
 */
export const readImages = (files: readonly ImageFile[]): ReadonlyMap<string, Image> =>
  new Map(
    files.flatMap(({ path, folder }) =>
      [...readList(path)].map(([name, image]) => [name, { ...image, folder }] as const),
    ),
  );
