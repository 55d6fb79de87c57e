/** The digest of a container image, as its registry reports it. */
import { spawnSync } from 'node:child_process';

const DIGEST = /^sha256:[0-9a-f]{64}$/;

/**
 * Returns what Docker reports.
 * @throws Error with the first line of its error
 */
function inspect(image: string): string {
  const args = ['buildx', 'imagetools', 'inspect', image, '--format', '{{.Manifest.Digest}}'];
  const { error, status, stdout, stderr } = spawnSync('docker', args, { encoding: 'utf8' });
  if (!error && status === 0) return stdout.trim();
  const reason = error?.message ?? stderr.trim().split('\n')[0];
  throw new Error(
    `The digest of ${image} is unknown. \`docker buildx imagetools inspect ${image}\` must print it, and fails: ${reason}. Install Docker with its plugin buildx, log in to the registry, or declare the image with its digest, NAME@sha256:….`,
    { cause: error },
  );
}

/**
 * Asks the registry for the digest of the image's multi-platform index, with the logins of Docker.
 * @param image `NAME:TAG`
 * @throws Error if Docker has no plugin buildx, the registry does not answer, or its answer is not a digest
 */
export function digestOf(image: string): string {
  const digest = inspect(image);
  if (!DIGEST.test(digest))
    throw new Error(
      `docker reports ${JSON.stringify(digest)} as the digest of ${image}; a digest must be sha256: and 64 hex digits.`,
    );
  return digest;
}
