/**
 * The port to task definitions, which are numbered revisions of families, and to the services that run them. An ARN
 * identifies a revision. The names of a cluster and a service identify a service.
 */
import type { ServiceName } from '../endpoints/endpoint.ts';
import type { LaunchType } from '../endpoints/release.ts';
import type { TaskDefinition } from './task-definition.ts';

/** A deployment of a service. */
export interface Deployment {
  readonly revision: string;
  /**
   * State in ECS, where a deployment without workers is complete immediately. Absent if ECS does not report a
   * state.
   */
  readonly state?: 'IN_PROGRESS' | 'COMPLETED' | 'FAILED';
  /**
   * Launch type of the service's capacity, which cannot run revisions of another launch type. Absent if unknown.
   */
  readonly launchType?: LaunchType;
}

export interface Revisions {
  /**
   * Returns the definition, without its number and other fields that ECS adds. Also reads deregistered revisions.
   */
  read(revision: string): Promise<TaskDefinition>;
  /**
   * Registers a revision in the family of the definition.
   * @throws ReleaseRefused with ECS's message if ECS does not accept the definition
   */
  register(definition: TaskDefinition): Promise<string>;
  /** Returns the active revisions of the family. */
  list(family: string): Promise<string[]>;
  /** Deregisters the revision. No new task can run it, but running tasks continue. */
  deregister(revision: string): Promise<void>;
  /**
   * Returns the newest deployment of the service, or the previous deployment if ECS has rolled the newest back.
   */
  currentDeployment(service: ServiceName): Promise<Deployment | undefined>;
  /**
   * Starts a rolling deployment without waiting for it, because it lasts until workers have finished their jobs.
   */
  deploy(service: ServiceName, revision: string): Promise<void>;
}
