/** Numbers of templates. Sizes are bytes, durations milliseconds; both ends of a range are allowed. */
import { DAY } from '../limits.ts';

const KB = 1_024;
const MB = 1_024 * KB;

export const templateLimits = {
  /** The name in UTF-16 code units; its key in bytes, as long as DynamoDB accepts. */
  name: { longest: 191, key: 1_024 },
  /** As long as ECS accepts. */
  imageName: 255,
  containerDiskInGb: { min: 1, max: 16_000, default: 50 },
  volumeInGb: { min: 0, max: 16_000, default: 20 },
  ports: 50,
  env: 256,
  words: 256,
  /**
   * Bytes of the container's variables, command and ports, as JSON: a task definition has 64 KB at most, with the
   * agent's container.
   */
  container: 32 * KB,
  /** An item of DynamoDB has 400 KB at most. */
  readme: 100 * KB,
  /** Bytes of a request: the longest allowed template, with every character escaped, has less. */
  body: MB,
} as const;

/** Bounds and default of a page's `?limit=`, and how many bytes it has at most: a function's answer has 6 MB. */
export const templateListLimits = { page: { default: 20, min: 1, max: 100 }, bytes: 4 * MB } as const;

/** A deleted template is kept this long. */
export const DELETED_KEPT = 90 * DAY;
/** The mark that a worker's run was added is kept this long: no event comes later. */
export const RUN_TIME_KEPT = 7 * DAY;
