/** Pictures in README.md and docs/. */
import type { Theme } from './show.ts';

/** Folder of the pictures in this repository. */
export const FOLDER = 'docs/pictures';

/** Maximum size of a picture in bytes. A clone downloads all versions of each picture. */
export const MAX_BYTES = 150_000;

interface Documented {
  /** Name of the state. */
  readonly state: string;
  readonly theme: Theme;
  readonly file: string;
  /** Pixels of the page above the part that the picture shows. */
  readonly top: number;
  readonly height: number;
}

export const documented: readonly Documented[] = [
  { state: 'overview-trouble', theme: 'light', file: 'overview-light.png', top: 0, height: 740 },
  { state: 'overview-trouble', theme: 'dark', file: 'overview-dark.png', top: 0, height: 740 },
  { state: 'endpoint-waiting', theme: 'light', file: 'endpoint.png', top: 0, height: 715 },
  { state: 'endpoint-workers', theme: 'light', file: 'workers.png', top: 816, height: 600 },
  { state: 'job-attempts', theme: 'light', file: 'job.png', top: 0, height: 770 },
  { state: 'playground-running', theme: 'light', file: 'playground.png', top: 140, height: 1120 },
  { state: 'templates-rollout', theme: 'light', file: 'rollout.png', top: 826, height: 430 },
];
