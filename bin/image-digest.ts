/** The digest of a container image, as its registry reports it. */
import { execFileSync } from 'node:child_process';

const DIGEST = /^sha256:[0-9a-f]{64}$/;

/**
 * Asks the registry for the digest of the image's multi-platform index, with the logins of Docker.
 * @param image `NAME:TAG`
 * @throws Error if the registry does not answer, or its answer is not a digest
 */
export function digestOf(image: string): string {
  const inspect = ['buildx', 'imagetools', 'inspect', image, '--format', '{{.Manifest.Digest}}'];
  const digest = execFileSync('docker', inspect, { encoding: 'utf8' }).trim();
  if (!DIGEST.test(digest))
    throw new Error(
      `docker reports ${JSON.stringify(digest)} as the digest of ${image}; a digest must be sha256: and 64 hex digits.`,
    );
  return digest;
}
