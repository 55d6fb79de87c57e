/** Names of container images that registries can parse and ECS accepts. */
import * as z from 'zod/mini';
import { shown } from '../requests/validation.ts';
import { templateLimits } from './limits.ts';

/** The parts of a name that select one of its images: tag and digest. */
export interface ImageName {
  readonly tag?: string | undefined;
  readonly digest?: string | undefined;
}

const HOST = /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/;
const PART = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const PORT = /^[1-9]\d{0,4}$/;
const MAX_PORT = 65_535;

/**
 * Returns whether the part before the first `/` is a registry, as in `localhost/a`, `example.com/a` and
 * `a:5000/a`.
 */
const isRegistry = (first: string) => /[.:]|^localhost$/.test(first);

function isRegistryRight(registry: string): boolean {
  const [host = '', port, ...more] = registry.split(':');
  const isPortRight = port === undefined || (PORT.test(port) && Number(port) <= MAX_PORT);
  return HOST.test(host) && isPortRight && more.length === 0;
}

/** The parts of a string that is read as the name of an image. */
export function imageParts(text: string) {
  const [named = '', digest, ...digests] = text.split('@');
  const parts = named.split('/');
  const [first = ''] = parts;
  const registry = parts.length > 1 && isRegistry(first) ? parts.shift() : undefined;
  const [last = '', tag, ...tags] = (parts.pop() ?? '').split(':');
  return { registry, path: [...parts, last], tag, digest, extra: { digests, tags } };
}

/** Returns what is wrong with the name and what is allowed there, in a clause, or undefined if the name is valid. */
function faultOf(text: string): string | undefined {
  if (text === '') return 'it is empty';
  const { length } = text;
  if (length > templateLimits.imageName) return `it has ${length} characters`;
  const { registry, path, tag, digest, extra } = imageParts(text);
  if (extra.digests.length > 0) return 'it has more than one @, which begins the digest';
  if (extra.tags.length > 0) return 'its last part has more than one colon, which begins the tag';
  if (registry !== undefined && !isRegistryRight(registry))
    return `its registry ${shown(registry)} must be a host name, optionally with a port from 1 to ${MAX_PORT}`;
  const wrong = path.find((part) => !PART.test(part));
  if (wrong === '') return 'one of its parts between slashes is empty';
  if (wrong !== undefined)
    return `its part ${shown(wrong)} must have only lower-case letters and digits, with ., _, __ or hyphens between them`;
  if (tag !== undefined && !TAG.test(tag))
    return `its tag ${shown(tag)} must have 1 to 128 letters, digits, _, . and hyphens, and begin with a letter, digit or _`;
  if (digest !== undefined && !DIGEST.test(digest))
    return `its digest ${shown(digest)} must be sha256: and 64 hexadecimal digits in lower case`;
  return undefined;
}

/**
 * Parses the name of an image.
 * @returns undefined if the string is not a valid name
 */
export function parseImageName(text: string): ImageName | undefined {
  if (faultOf(text) !== undefined) return undefined;
  const { tag, digest } = imageParts(text);
  return { tag, digest };
}

const must = `must be the name of a container image of at most ${templateLimits.imageName} characters, such as \`team/worker:1.2\``;

export const imageName = z.string(must).check(
  z.superRefine((text, context) => {
    const fault = faultOf(text);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: `${must}: ${fault}`, input: text });
  }),
);
