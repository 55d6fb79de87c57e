/** The supported properties of ECS resources in templates, and the definitions that result from them. */
import * as z from 'zod/mini';
import { ignored } from '../cloudformation/resource.ts';
import { rules } from './rules.ts';
import type { ServiceTarget } from './traffic.ts';
import type { MountPoint, VolumeDefinition } from './volumes.ts';

const number = z.coerce.number();
const whole = number.check(z.int());
const { restartPeriod, restartIgnored } = rules;

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
      // The list of images contains the health check, because the command needs the image.
      Command: ignored,
      Interval: z._default(number, 30),
      Retries: z._default(number, 3),
      StartPeriod: z._default(number, 0),
      Timeout: z._default(number, 5),
    }),
  ),
  StopTimeout: z._default(number, 30),
  RestartPolicy: z.optional(
    z.strictObject({
      Enabled: z.boolean(),
      IgnoredExitCodes: z._default(z.array(whole).check(z.maxLength(restartIgnored.value.max)), []),
      RestartAttemptPeriod: z._default(
        whole.check(z.minimum(restartPeriod.value.min), z.maximum(restartPeriod.value.max)),
        restartPeriod.value.default,
      ),
    }),
  ),
  LogConfiguration: z.optional(
    z.strictObject({
      LogDriver: z.literal('awslogs'),
      Options: z.strictObject({
        'awslogs-group': z.string(),
        'awslogs-stream-prefix': z.string(),
        // The emulators have one Region.
        'awslogs-region': ignored,
      }),
    }),
  ),
  /** Number of GPUs. The start prints that no GPUs are reserved here. */
  ResourceRequirements: z._default(z.array(z.strictObject({ Type: z.literal('GPU'), Value: number })), []),
  // A process of this machine sees the devices and the `/dev/shm` of this machine.
  LinuxParameters: z.optional(
    z.strictObject({
      Capabilities: z.optional(z.strictObject({})),
      Devices: z.optional(z.array(z.unknown())),
      SharedMemorySize: ignored,
    }),
  ),
  // Releases read the labels of a blueprint; a process has none.
  DockerLabels: z.optional(z.record(z.string(), z.string())),
  // A process of this machine uses this machine's disk.
  ReadonlyRootFilesystem: ignored,
  PortMappings: z._default(
    z.array(
      z.strictObject({
        ContainerPort: whole,
        Protocol: z.optional(z.literal('tcp')),
        // A port of this machine replaces the mapped port, and nothing finds the port by its name.
        AppProtocol: ignored,
        HostPort: ignored,
        Name: ignored,
      }),
    ),
    [],
  ),
  MountPoints: z._default(
    z.array(
      z.strictObject({ SourceVolume: z.string(), ContainerPath: z.string(), ReadOnly: z._default(z.boolean(), false) }),
    ),
    [],
  ),
});

const enabled = z.literal('ENABLED');

/** Only EFS volumes with the transit encryption and authorization that the EFS policy requires are supported. */
const volume = z.strictObject({
  Name: z.string(),
  EFSVolumeConfiguration: z.strictObject({
    FilesystemId: z.string(),
    RootDirectory: z.optional(z.literal('/')),
    TransitEncryption: enabled,
    AuthorizationConfig: z.strictObject({ AccessPointId: z.string(), IAM: enabled }),
  }),
});

export const taskDefinition = z.strictObject({
  Family: z.string(),
  ContainerDefinitions: z.array(container),
  TaskRoleArn: z.string(),
  // Only task definitions that the API registers can have secrets, so the role is not needed.
  ExecutionRoleArn: ignored,
  // Tasks use the processors, memory and disk of this machine.
  Cpu: ignored,
  EphemeralStorage: ignored,
  Memory: ignored,
  NetworkMode: ignored,
  RequiresCompatibilities: ignored,
  RuntimePlatform: ignored,
  Tags: ignored,
  Volumes: z._default(z.array(volume), []),
});

/** A capacity provider of an Auto Scaling group. Other kinds of providers are not supported. */
export const capacityProvider = z.strictObject({
  Name: z.optional(z.string()),
  AutoScalingGroupProvider: z.looseObject({ AutoScalingGroupArn: z.string() }),
  Tags: ignored,
});

export const cluster = z.strictObject({
  ClusterName: z.optional(z.string()),
  // This machine is the cluster and its capacity.
  CapacityProviders: ignored,
  ClusterSettings: ignored,
  Configuration: ignored,
  DefaultCapacityProviderStrategy: ignored,
  Tags: ignored,
});

const percent = whole.check(z.minimum(0));
const { minimumHealthyPercent, maximumPercent } = rules.deploymentBounds.value;

const deploymentConfiguration = z.strictObject({
  MinimumHealthyPercent: z._default(percent, minimumHealthyPercent),
  MaximumPercent: z._default(percent, maximumPercent),
  DeploymentCircuitBreaker: z._default(z.strictObject({ Enable: z.boolean(), Rollback: z.boolean() }), {
    Enable: false,
    Rollback: false,
  }),
});

export const service = z.strictObject({
  Cluster: z.string(),
  TaskDefinition: z.string(),
  DesiredCount: z.optional(whole.check(z.minimum(0))),
  // All tasks run on one machine, so there are no zones to balance.
  AvailabilityZoneRebalancing: ignored,
  CapacityProviderStrategy: z._default(
    z.array(z.strictObject({ CapacityProvider: z.string(), Weight: ignored, Base: ignored })),
    [],
  ),
  DeploymentConfiguration: z.prefault(deploymentConfiguration, {}),
  EnableECSManagedTags: ignored,
  LaunchType: ignored,
  LoadBalancers: z._default(
    z.array(z.strictObject({ ContainerName: z.string(), ContainerPort: whole, TargetGroupArn: z.string() })),
    [],
  ),
  HealthCheckGracePeriodSeconds: z._default(whole.check(z.minimum(0)), 0),
  NetworkConfiguration: ignored,
  PlacementConstraints: ignored,
  PlacementStrategies: ignored,
  PlatformVersion: ignored,
  SchedulingStrategy: z.optional(z.literal('REPLICA')),
  // Nothing on this machine finds a service by its name.
  ServiceRegistries: z.optional(z.array(z.never())),
  // Tags propagate to tasks from the service only; without propagation, tasks have no tags.
  PropagateTags: z._default(z.literal(['SERVICE', 'NONE']), 'NONE'),
  Tags: z._default(z.array(z.strictObject({ Key: z.string(), Value: z.string() })), []),
});

export interface HealthCheck {
  /** Milliseconds. */
  readonly interval: number;
  readonly timeout: number;
  /** Milliseconds after the start in which failed checks do not count. */
  readonly startPeriod: number;
  /** Consecutive failures that make the container unhealthy. */
  readonly retries: number;
}

export interface RestartPolicy {
  readonly ignoredExitCodes: readonly number[];
  /** Milliseconds for which the container must have run to be restarted. */
  readonly attemptPeriod: number;
}

export interface ContainerDefinition {
  readonly name: string;
  /** Name of the image in the list of images. */
  readonly image: string;
  /** Command that replaces the image's command, as in Docker. */
  readonly entryPoint?: readonly string[];
  readonly command?: readonly string[];
  readonly essential: boolean;
  readonly environment: Readonly<Record<string, string>>;
  /** Variables whose values are in Secrets Manager, with the ARNs of the secrets. */
  readonly secrets?: readonly { readonly name: string; readonly valueFrom: string }[];
  /** ARN of the secret with the credentials for the image's registry. */
  readonly credentials?: string;
  readonly dependsOn: readonly { readonly container: string; readonly condition: 'START' | 'HEALTHY' }[];
  readonly healthCheck?: HealthCheck;
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly stopTimeout: number;
  readonly restartPolicy?: RestartPolicy;
  /** Number of GPUs. */
  readonly gpus?: number;
  /** The log stream of the container's lines, in addition to the file. */
  readonly log?: LogDestination;
  readonly mountPoints?: readonly MountPoint[];
  /** Container ports that have a port mapping. */
  readonly ports?: readonly number[];
}

export interface LogDestination {
  readonly group: string;
  /** Prefix of the stream's name. The container's name and the task's id follow, separated by slashes. */
  readonly streamPrefix: string;
}

export interface TaskDefinition {
  readonly arn: string;
  readonly family: string;
  /** Name of the role of all containers. */
  readonly role: string;
  readonly roleArn: string;
  /** The execution role, which reads secrets. */
  readonly executionRoleArn?: string;
  /** Containers in start order: each one follows its dependencies. */
  readonly containers: readonly ContainerDefinition[];
  readonly volumes?: readonly VolumeDefinition[];
  /** Launch types that the task definition was validated for, if any. */
  readonly compatibilities?: readonly string[];
}

export interface DeploymentConfiguration {
  /** Percentage of the desired count, rounded up, while tasks are replaced. */
  readonly minimumHealthyPercent: number;
  /** Percentage of the desired count, rounded down. */
  readonly maximumPercent: number;
  readonly circuitBreaker: { readonly enable: boolean; readonly rollback: boolean };
}

export interface ServiceDefinition {
  /** Name in logs and messages: the name of the service's stack. */
  readonly name: string;
  /** Name in ECS: the physical name, which `Fn::GetAtt` `Name` returns and API calls use. */
  readonly serviceName: string;
  /** Name of the cluster. */
  readonly cluster: string;
  /** The value in the template: an ARN, `family:revision`, or a family. */
  readonly declared: string;
  /** The task definition that `declared` selected at the deployment, or the revision that the API has set since. */
  readonly taskDefinition: TaskDefinition;
  /** All properties of the service in the template. */
  readonly properties: unknown;
  readonly deploymentConfiguration: DeploymentConfiguration;
  /** Names of the service's capacity providers. */
  readonly capacityProviders?: readonly string[];
  /** Tags that the service gives to its tasks. */
  readonly taskTags: Readonly<Record<string, string>>;
  /** Target groups of the service's tasks. */
  readonly targets?: readonly ServiceTarget[];
  /** Milliseconds after the start of a task in which an unhealthy target does not stop the task. */
  readonly healthCheckGrace?: number;
  /** The count in the template, if any; the running service can have another count. */
  readonly desiredCount?: number;
}
