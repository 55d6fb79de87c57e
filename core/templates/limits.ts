/**
 * Limits of templates. Sizes are in bytes unless the name or the comment says otherwise, durations in milliseconds.
 * Both ends of a range are allowed.
 */
import { DAY, RELEASES_KEPT } from '../limits.ts';

const KB = 1_024;
const MB = 1_024 * KB;

export const templateLimits = {
  /**
   * Maximum length of the name in UTF-16 code units, and of its key in bytes, which is the limit of a DynamoDB sort
   * key.
   */
  name: { maxLength: 191, key: 1_024 },
  /** Maximum length of an image name in ECS, in characters. */
  imageName: 255,
  containerDiskInGb: { min: 1, max: 16_000, default: 50 },
  volumeInGb: { min: 0, max: 16_000, default: 20 },
  /** Maximum numbers of ports, variables, and arguments of the command. */
  ports: 50,
  env: 256,
  args: 256,
  /**
   * Maximum bytes of the container's variables, command and ports as JSON. A task definition, which also contains
   * the agent, has at most 64 KB.
   */
  container: 32 * KB,
  /** Maximum bytes of the readme, because a DynamoDB item has at most 400 KB. */
  readme: 100 * KB,
  /** Maximum length of the reason for a change, in UTF-16 code units. */
  reason: 500,
  /** Maximum bytes of a request, enough for the longest allowed template with every character escaped. */
  body: MB,
} as const;

/**
 * Bounds and default of a page's `?limit=`, and maximum bytes of a page as a string in JSON, because the response of a
 * function is limited to 6 MB.
 */
export const templateListLimits = { page: { default: 20, min: 1, max: 100 }, bytes: 4 * MB } as const;

/**
 * Retention of the settings of a version after a newer one has replaced it. Its release is listed for `RELEASES_KEPT`
 * after it was last run, which can be long after it was replaced: an endpoint without jobs starts no new workers.
 */
export const VERSIONS_KEPT = 2 * RELEASES_KEPT;
/** Retention of a deleted template. */
export const DELETED_KEPT = 90 * DAY;
/**
 * Retention of the mark that a worker's run time was added, so that a repeated event does not add it twice. Events of a
 * worker's end arrive within this time.
 */
export const RUN_TIME_KEPT = 7 * DAY;
