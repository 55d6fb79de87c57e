/** What templates may say about ECS tasks and services, and what they have said so far. */
import * as z from 'zod/mini';
import { ignored } from '../resource.ts';

const number = z.coerce.number();

const container = z.strictObject({
  Name: z.string(),
  Image: z.string(),
  Essential: z._default(z.boolean(), true),
  Environment: z._default(z.array(z.strictObject({ Name: z.string(), Value: z.string() })), []),
  DependsOn: z._default(
    z.array(z.strictObject({ ContainerName: z.string(), Condition: z.literal(['START', 'HEALTHY']) })),
    [],
  ),
  HealthCheck: z.optional(
    z.strictObject({
      // images.yaml says how to check: the command belongs into the image.
      Command: ignored,
      Interval: z._default(number, 30),
      Retries: z._default(number, 3),
      StartPeriod: z._default(number, 0),
      Timeout: z._default(number, 5),
    }),
  ),
  StopTimeout: z._default(number, 30),
  // A process of this machine has this machine's disk, and a file for its log.
  ReadonlyRootFilesystem: ignored,
  LogConfiguration: ignored,
});

export const taskDefinition = z.strictObject({
  Family: z.string(),
  ContainerDefinitions: z.array(container),
  TaskRoleArn: z.string(),
  // The image is not pulled, and the size is this machine's.
  ExecutionRoleArn: ignored,
  Cpu: ignored,
  Memory: ignored,
  NetworkMode: ignored,
  RequiresCompatibilities: ignored,
  RuntimePlatform: ignored,
  Tags: ignored,
});

export const service = z.strictObject({
  Cluster: z.string(),
  TaskDefinition: z.string(),
  DesiredCount: z._default(number, 1),
  // One machine, whose tasks are replaced only when they end.
  AvailabilityZoneRebalancing: ignored,
  CapacityProviderStrategy: ignored,
  DeploymentConfiguration: ignored,
  EnableECSManagedTags: ignored,
  LaunchType: ignored,
  LoadBalancers: z.optional(z.array(z.never())),
  NetworkConfiguration: ignored,
  PlatformVersion: ignored,
  PropagateTags: ignored,
  Tags: ignored,
});

export interface HealthCheck {
  /** Milliseconds. */
  readonly interval: number;
  readonly timeout: number;
  /** Failures in it do not count. */
  readonly startPeriod: number;
  /** So many failures in a row make the container unhealthy. */
  readonly retries: number;
}

export interface ContainerDefinition {
  readonly name: string;
  /** As `images.yaml` names it. */
  readonly image: string;
  readonly essential: boolean;
  readonly environment: Readonly<Record<string, string>>;
  readonly dependsOn: readonly { readonly container: string; readonly condition: 'START' | 'HEALTHY' }[];
  readonly healthCheck?: HealthCheck;
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly stopTimeout: number;
}

export interface TaskDefinition {
  readonly arn: string;
  readonly family: string;
  /** Name of the role of all containers. */
  readonly role: string;
  /** Each after those that it depends on. */
  readonly containers: readonly ContainerDefinition[];
}

export interface ServiceDefinition {
  readonly name: string;
  readonly cluster: string;
  readonly taskDefinition: TaskDefinition;
  readonly desiredCount: number;
}

export interface FleetDefinitions {
  readonly taskDefinitions: Map<string, TaskDefinition>;
  readonly services: ServiceDefinition[];
}
