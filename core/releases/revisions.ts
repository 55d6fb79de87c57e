/** Task definitions, in families of numbered revisions, and which of them services run. Each is named by its ARN. */
import type { ServiceName } from '../endpoints/endpoint.ts';
import type { LaunchType } from '../endpoints/release.ts';
import type { TaskDefinition } from './task-definition.ts';

/** What a service is on its way to run, or runs. */
export interface Deployment {
  readonly revision: string;
  /** As ECS has it, which calls a deployment complete that has all of no workers. Nothing while it says nothing. */
  readonly state?: 'IN_PROGRESS' | 'COMPLETED' | 'FAILED';
  /** Of the capacity that the service asks for room: it can run no revision of another one. Absent if it is not known. */
  readonly launchType?: LaunchType;
}

export interface Revisions {
  /** What the revision says, without its number and what else ECS has added; also of one that was withdrawn. */
  read(revision: string): Promise<TaskDefinition>;
  /**
   * Adds a revision to the family that the definition names.
   * @throws ReleaseRefused in ECS's words, if it does not take the definition
   */
  register(definition: TaskDefinition): Promise<string>;
  /** The revisions of the family that were not withdrawn. */
  list(family: string): Promise<string[]>;
  /** Nothing new can run the revision from now on; what runs it goes on. */
  withdraw(revision: string): Promise<void>;
  /** The newest deployment of the service; if ECS has taken one back, that is the one before it. */
  running(service: ServiceName): Promise<Deployment | undefined>;
  /** Starts a rolling deployment and returns: it may take as long as workers have jobs. */
  deploy(service: ServiceName, revision: string): Promise<void>;
}
