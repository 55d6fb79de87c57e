/** The paths at which the volume of a template can be mounted in the user's container. */
import * as z from 'zod/mini';
import { shown } from '../requests/validation.ts';

/** Maximum bytes of a path, equal to the limit of one name in a Linux path. */
export const maxPathBytes = 255;

const must = 'must be an absolute path in the container, such as /workspace';

/**
 * Folders that a container needs. A mount at, above or below one of them would hide or break it. The first folders
 * belong to the kernel and the container runtime, the others contain the programs of the image and their
 * configuration.
 */
const SYSTEM = [
  '/dev',
  '/proc',
  '/run',
  '/sys',
  '/var/run',
  '/bin',
  '/boot',
  '/etc',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/sbin',
  '/usr',
];

const isWithin = (path: string, folder: string) => folder === '/' || path === folder || path.startsWith(`${folder}/`);

/** Returns the path without a slash at its end. Both forms name the same folder, and ECS accepts the shorter form. */
const withoutLastSlash = (path: string): string => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path);

/** Returns the wrong part of an absolute path, in a clause, or undefined if each part is right. */
function wrongPartOf(path: string): string | undefined {
  const control = /\p{Cc}/u.exec(path)?.[0].charCodeAt(0);
  if (control !== undefined) return `it contains the control character U+${control.toString(16).padStart(4, '0')}`;
  if (!path.isWellFormed()) return 'it contains half of a surrogate pair, which is no character';
  // ECS passes one string to the container runtime, in which a colon ends the path.
  if (path.includes(':')) return 'it contains a colon, which ends a path in ECS';
  const names = path.slice(1).split('/');
  const wrong = names.findIndex((name) => name === '' || name === '.' || name === '..');
  if (path === '/' || wrong < 0) return undefined;
  if (names[wrong] !== '') return `its part ${names[wrong]} is not allowed`;
  return `the part after ${shown(`/${names.slice(0, wrong).join('/')}`)} is empty`;
}

/** Returns the end of the sentence "`volumeMountPath` …", or undefined if the path is allowed. */
function refusalOf(path: string): string | undefined {
  if (path === '') return `${must}: it is empty`;
  if (!path.startsWith('/')) return `${must}: it does not begin with a slash`;
  const wrong = wrongPartOf(path);
  if (wrong !== undefined) return `${must}: ${wrong}`;
  const { length } = new TextEncoder().encode(path);
  if (length > maxPathBytes) return `must have at most ${maxPathBytes} bytes: it has ${length}`;
  const system = SYSTEM.find((folder) => isWithin(path, folder) || isWithin(folder, path));
  return system && `must not be at, above or below ${system}, which the container needs`;
}

/**
 * A template's `volumeMountPath`, and an endpoint's `volumeAlsoAt`. A slash at the end is allowed; the path is stored
 * and returned without it.
 */
export const mountPath = z.string(must).check(
  z.overwrite(withoutLastSlash),
  z.superRefine((path, context) => {
    const message = refusalOf(path);
    if (message !== undefined) context.addIssue({ code: 'custom', message, input: path });
  }),
);
