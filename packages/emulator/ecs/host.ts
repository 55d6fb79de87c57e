import type { AwsEnvironment } from '../account.ts';
import type { LogGroups } from '../logs/log-groups.ts';
import type { TaskContainers } from '../product.ts';
import type { Clock } from './clock.ts';
import type { Image } from './images.ts';
import type { MetadataServer } from './metadata.ts';
import type { ReadSecret } from './task-secrets.ts';
import type { EcsEvent } from './task-state.ts';
import type { Mount } from './volumes.ts';

/** The parts of this machine that tasks need. */
export interface Host {
  /** Returns the environment in which containers call AWS. */
  readonly awsEnvironment: AwsEnvironment;
  readonly metadata: MetadataServer;
  /** @default - containers keep their variables, and an attached command replaces the last container */
  readonly containers?: TaskContainers | undefined;
  /** What to do about an image that is in no list. */
  readonly imageRemedy?: string | undefined;
  /** Folder in which the commands of images run that have none of their own. */
  readonly folder: string;
  /** Environment variables that mark a process as part of this run. */
  readonly mark: Readonly<Record<string, string>>;
  /** Compile cache of Node.js for all tasks, which halves the start time of a task. */
  readonly compileCache?: string;
  readonly clock?: Clock;
  /** Returns the images. It is called for every task, so that an image can be added while the service retries. */
  images(): ReadonlyMap<string, Image>;
  logFile(name: string): string;
  /** Called with the log files of a task that has stopped. */
  logsEnded?(files: readonly string[]): void;
  /** Log groups of containers. Without them, containers log to their files only. */
  readonly logs?: Pick<LogGroups, 'open'>;
  /** Mounts volumes. Without it, no task can have a volume. */
  readonly mount?: Mount;
  publish?(event: EcsEvent): void;
  /** Called when a target of the task becomes healthy or unhealthy. */
  trafficChanged?(): void;
  /** Reads secrets. Without it, tasks with secrets cannot start. */
  readonly readSecret?: ReadSecret;
}
