/** The supported properties of ECS resources in templates, and the definitions that are made of them. */
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
      // images.yaml names the health check, because the command needs the image.
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
      IgnoredExitCodes: z._default(z.array(whole).check(z.maxLength(restartIgnored.value.most)), []),
      RestartAttemptPeriod: z._default(
        whole.check(z.minimum(restartPeriod.value.least), z.maximum(restartPeriod.value.most)),
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
        // There is one.
        'awslogs-region': ignored,
      }),
    }),
  ),
  /** GPUs. The start prints that a worker here has none of its own. */
  ResourceRequirements: z._default(z.array(z.strictObject({ Type: z.literal('GPU'), Value: number })), []),
  // A process of this machine sees the devices of this machine.
  LinuxParameters: z.optional(
    z.strictObject({ Capabilities: z.optional(z.strictObject({})), Devices: z.optional(z.array(z.unknown())) }),
  ),
  // A process of this machine has this machine's disk.
  ReadonlyRootFilesystem: ignored,
  PortMappings: z._default(
    z.array(
      z.strictObject({
        ContainerPort: whole,
        Protocol: z.optional(z.literal('tcp')),
        // A port of this machine takes its place, and nothing looks it up by its name.
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

/** Other file systems, and EFS without the transit and authorization that its policy requires, are not supported. */
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
  // It is in the registration; a template of its own has no secrets to read with it.
  ExecutionRoleArn: ignored,
  // The size is this machine's.
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
  // One machine, whose tasks are replaced only when they end.
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
  // Nothing here finds a service by its name.
  ServiceRegistries: z.optional(z.array(z.never())),
  // Tags of the service are those of its tasks, or else its tasks have none.
  PropagateTags: z._default(z.literal(['SERVICE', 'NONE']), 'NONE'),
  Tags: z._default(z.array(z.strictObject({ Key: z.string(), Value: z.string() })), []),
});

export interface HealthCheck {
  /** Milliseconds. */
  readonly interval: number;
  readonly timeout: number;
  /** Failures in it do not count. */
  readonly startPeriod: number;
  /** Failures in a row that make the container unhealthy. */
  readonly retries: number;
}

export interface RestartPolicy {
  readonly ignoredExitCodes: readonly number[];
  /** Milliseconds that the container must have run to be restarted. */
  readonly attemptPeriod: number;
}

export interface ContainerDefinition {
  readonly name: string;
  /** Its name in `images.yaml`. */
  readonly image: string;
  /** Replaces the image's own, as in Docker. */
  readonly entryPoint?: readonly string[];
  readonly command?: readonly string[];
  readonly essential: boolean;
  readonly environment: Readonly<Record<string, string>>;
  /** Variables whose values are in Secrets Manager, by ARN. */
  readonly secrets?: readonly { readonly name: string; readonly valueFrom: string }[];
  /** ARN of the secret with the credentials of its image's registry. */
  readonly credentials?: string;
  readonly dependsOn: readonly { readonly container: string; readonly condition: 'START' | 'HEALTHY' }[];
  readonly healthCheck?: HealthCheck;
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly stopTimeout: number;
  readonly restartPolicy?: RestartPolicy;
  /** Number of GPUs. */
  readonly gpus?: number;
  /** The log stream of its lines, besides the file. */
  readonly log?: LogDestination;
  readonly mountPoints?: readonly MountPoint[];
  /** Container ports that it maps. */
  readonly ports?: readonly number[];
}

export interface LogDestination {
  readonly group: string;
  /** The name of a stream is this, the container's name and the task's id, with slashes between. */
  readonly streamPrefix: string;
}

export interface TaskDefinition {
  readonly arn: string;
  readonly family: string;
  /** Name of the role of all containers. */
  readonly role: string;
  readonly roleArn: string;
  /** The role that reads secrets. */
  readonly executionRoleArn?: string;
  /** Each after those that it depends on. */
  readonly containers: readonly ContainerDefinition[];
  readonly volumes?: readonly VolumeDefinition[];
  /** Launch types that it was validated for, if it has any. */
  readonly compatibilities?: readonly string[];
}

export interface DeploymentConfiguration {
  /** Of the desired count, rounded up, while tasks are replaced. */
  readonly minimumHealthyPercent: number;
  /** Of the desired count, rounded down. */
  readonly maximumPercent: number;
  readonly circuitBreaker: { readonly enable: boolean; readonly rollback: boolean };
}

export interface ServiceDefinition {
  /** Its name in logs and messages: the name of its stack. */
  readonly name: string;
  /** Its name in ECS: the physical name, which `Fn::GetAtt` `Name` returns and API calls use. */
  readonly serviceName: string;
  /** Name of the cluster. */
  readonly cluster: string;
  /** The value in the template: an ARN, `family:revision`, or a family. */
  readonly declared: string;
  /** The task definition of that name when the stack was deployed. */
  readonly taskDefinition: TaskDefinition;
  /** All its properties in the template. */
  readonly properties: unknown;
  readonly deploymentConfiguration: DeploymentConfiguration;
  /** Names of its capacity providers. */
  readonly capacityProviders?: readonly string[];
  /** Tags that the service gives its tasks. */
  readonly taskTags: Readonly<Record<string, string>>;
  /** Target groups of its tasks. */
  readonly targets?: readonly ServiceTarget[];
  /** Milliseconds after the start of a task in which an unhealthy target does not stop it. */
  readonly healthCheckGrace?: number;
  /** The count in the template, if any; the running service may have another. */
  readonly desiredCount?: number;
}
