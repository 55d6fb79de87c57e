/** The pictures that README.md and docs/ show. */
import type { Theme } from './show.ts';

/** In this repository. */
export const FOLDER = 'docs/pictures';

/** Bytes of a picture: a clone has all of their versions. */
export const LARGEST = 150_000;

interface Documented {
  /** Name of the state. */
  readonly state: string;
  readonly theme: Theme;
  readonly file: string;
  /** Pixels from the top. */
  readonly height: number;
}

export const documented: readonly Documented[] = [
  { state: 'overview-trouble', theme: 'light', file: 'overview-light.png', height: 860 },
  { state: 'overview-trouble', theme: 'dark', file: 'overview-dark.png', height: 860 },
  { state: 'endpoint-waiting', theme: 'light', file: 'endpoint.png', height: 860 },
  { state: 'endpoint-workers', theme: 'light', file: 'workers.png', height: 640 },
  { state: 'job-failed', theme: 'light', file: 'job.png', height: 540 },
  { state: 'playground-running', theme: 'light', file: 'playground.png', height: 900 },
  { state: 'templates-rollout', theme: 'light', file: 'rollout.png', height: 800 },
];
