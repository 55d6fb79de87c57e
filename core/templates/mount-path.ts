/** The paths at which the volume of a template can be mounted in the user's container. */
import * as z from 'zod/mini';

/** Maximum bytes of a path, equal to the limit of one name in a Linux path. */
const LONGEST = 255;

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

/** Returns the end of the sentence "`volumeMountPath` …", or undefined if the path is allowed. */
function refusalOf(path: string): string | undefined {
  const names = path.split('/').slice(1);
  if (!path.startsWith('/')) return must;
  if (/\p{Cc}/u.test(path) || !path.isWellFormed()) return `${must}, without control characters`;
  // ECS passes one string to the container runtime, in which a colon ends the path.
  if (path.includes(':')) return `${must}, without a colon`;
  if (new TextEncoder().encode(path).length > LONGEST) return `must have at most ${LONGEST} bytes`;
  if (path !== '/' && names.some((name) => name === '' || name === '.' || name === '..'))
    return `${must}, without empty parts, . and ..`;
  const system = SYSTEM.find((folder) => isWithin(path, folder) || isWithin(folder, path));
  return system && `must not be at, above or below ${system}, which the container needs`;
}

/** A template's `volumeMountPath`, and an endpoint's `volumeAlsoAt`. */
export const mountPath = z.string(must).check(
  z.superRefine((path, context) => {
    const message = refusalOf(path);
    if (message !== undefined) context.addIssue({ code: 'custom', message, input: path });
  }),
);
