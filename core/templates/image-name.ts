/** Names of container images that registries can parse and ECS accepts. */
import * as z from 'zod/mini';
import { templateLimits } from './limits.ts';

/** The parts of a name that select one of its images: tag and digest. */
export interface ImageName {
  readonly tag?: string;
  readonly digest?: string;
}

const HOST = /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/;
const PART = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const PORT = /^[1-9]\d{0,4}$/;
const LARGEST_PORT = 65_535;

/**
 * Returns whether the part before the first `/` is a registry, as in `localhost/a`, `example.com/a` and
 * `a:5000/a`.
 */
const isRegistry = (first: string) => /[.:]|^localhost$/.test(first);

function isRegistryRight(registry: string): boolean {
  const [host = '', port, ...more] = registry.split(':');
  const isPortRight = port === undefined || (PORT.test(port) && Number(port) <= LARGEST_PORT);
  return HOST.test(host) && isPortRight && more.length === 0;
}

/** Parses the name of an image. @returns undefined if the string is not a valid name */
export function parseImageName(text: string): ImageName | undefined {
  if (text.length > templateLimits.imageName) return undefined;
  const [named = '', digest, ...more] = text.split('@');
  const parts = named.split('/');
  const [first = ''] = parts;
  const registry = parts.length > 1 && isRegistry(first) ? parts.shift() : undefined;
  const [last = '', tag, ...rest] = (parts.pop() ?? '').split(':');
  const isRight =
    more.length + rest.length === 0 &&
    (digest === undefined || DIGEST.test(digest)) &&
    (tag === undefined || TAG.test(tag)) &&
    (registry === undefined || isRegistryRight(registry)) &&
    [...parts, last].every((part) => PART.test(part));
  return isRight ? { tag, digest } : undefined;
}

const must = `must be the name of a container image of at most ${templateLimits.imageName} characters, such as \`team/worker:1.2\``;

export const imageName = z.string(must).check(z.refine((text) => parseImageName(text) !== undefined, must));
