import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { LocalError } from '../local-error.ts';

export interface Image {
  /** A program and its arguments. */
  readonly command: readonly [string, ...string[]];
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

/** The text of a field in Markdown, from which `npm run reference` writes `docs/reference/configuration/images.md`. */
interface ImageText {
  /** The effect of the field: one sentence. */
  readonly description: string;
  /** What applies without the field. */
  readonly without?: string;
  readonly allowed: string;
  readonly condition?: string;
}

export const imageTexts = z.registry<ImageText>();

export const imageSchema = z.strictObject({
  command: z.tuple([z.string()], z.string()).register(imageTexts, {
    description:
      "Program and arguments that replace the image; a template's `dockerEntrypoint` and `dockerStartCmd` replace them.",
    allowed:
      'a list of at least one string; `node` is the Node.js of `npm start`, paths are relative to the repository, and `{address}` is a loopback address at which only the load balancer finds the ports',
  }),
  environment: z.optional(z.record(z.string(), z.string())).register(imageTexts, {
    description: 'Variables that the image sets; variables of the task definition with the same name replace them.',
    without: 'no variables',
    allowed: 'a mapping of names to strings',
  }),
  health: z.optional(z.string()).register(imageTexts, {
    description: "Path of the health check, which replaces the container's own command.",
    without: 'no health check',
    allowed: 'a path such as `/health`',
    condition: 'Required if the container has a health check in its task definition.',
  }),
  ports: z.optional(z.record(z.string().check(z.regex(/^\d+$/)), z.string())).register(imageTexts, {
    description:
      'Variable that gets the port of this machine, by port of the container; the health check calls the lowest of these ports.',
    without: 'the health check calls the port of the agent',
    allowed: 'a mapping of port numbers to names of variables',
    condition: 'Required for ports that a load balancer calls.',
  }),
});

const listSchema = z.record(z.string(), imageSchema);

const imagesFile = join(import.meta.dirname, '..', 'images.yaml');

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
 * @param more a file with more images, which overrides images of the same name
 * @throws LocalError if a file is not a list of images
 */
export const readImages = (more?: string): ReadonlyMap<string, Image> =>
  new Map([...readList(imagesFile), ...(more === undefined ? [] : readList(more))]);
