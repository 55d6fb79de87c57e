/** The port to task definitions, in families of numbered revisions, and to the services that run them, by ARN. */
import type { ServiceName } from '../endpoints/endpoint.ts';
import type { LaunchType } from '../endpoints/release.ts';
import type { TaskDefinition } from './task-definition.ts';

/** The newest deployment of a service. */
export interface Deployment {
  readonly revision: string;
  /** ECS's own state: a deployment of no workers is complete at once. Absent while ECS reports none. */
  readonly state?: 'IN_PROGRESS' | 'COMPLETED' | 'FAILED';
  /** Launch type of the service's capacity: it can run no revision of another one. Absent if it is not known. */
  readonly launchType?: LaunchType;
}

export interface Revisions {
  /** Returns the definition, without its number and other fields that ECS added; also of a withdrawn revision. */
  read(revision: string): Promise<TaskDefinition>;
  /**
   * Adds a revision to the family that the definition names.
   * @throws ReleaseRefused in ECS's words, if ECS does not accept the definition
   */
  register(definition: TaskDefinition): Promise<string>;
  /** Returns the revisions of the family that were not withdrawn. */
  list(family: string): Promise<string[]>;
  /** Withdraws the revision: no new task can run it, and running ones continue. */
  withdraw(revision: string): Promise<void>;
  /** Returns the newest deployment of the service; if ECS has rolled one back, the one before it. */
  running(service: ServiceName): Promise<Deployment | undefined>;
  /** Starts a rolling deployment and returns: it may take as long as workers have jobs. */
  deploy(service: ServiceName, revision: string): Promise<void>;
}
