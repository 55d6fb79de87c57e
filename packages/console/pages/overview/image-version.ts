/** The part of an image's name that differs between its versions. */

/** A digest, or the hash by which the CDK names its images. */
const HASH = /^[0-9a-f]{40,}$/;

const SHOWN_OF_HASH = 8;
const SHOWN = 18;

/** Returns the tag, or the beginning of a digest or commit; undefined for an image without either. */
export function imageVersion(image: string | undefined): string | undefined {
  const version = /(?:@sha256:|:)([^:/@]+)$/.exec(image ?? '')?.[1];
  if (version === undefined) return undefined;
  if (HASH.test(version)) return version.slice(0, SHOWN_OF_HASH);
  return version.length > SHOWN ? `${version.slice(0, SHOWN - 1)}…` : version;
}
