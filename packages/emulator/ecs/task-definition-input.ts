/**
 * The supported fields of a task definition. Fields of AWS that are not supported here are refused by name. Fields
 * without a counterpart on one machine have no effect, but the description of the task definition contains them.
 */
import * as z from 'zod/mini';
import { ignored } from '../cloudformation/resource.ts';
import { rules } from './rules.ts';

const whole = z.int().check(z.minimum(0));
const { restartPeriod, restartIgnored } = rules;

/** Features that this machine lacks. They are accepted with empty values, which a description from ECS contains. */
const none = z.optional(z.array(z.never()));

const healthCheck = z.strictObject({
  // The list of images contains the health check, because the command needs the image.
  command: ignored,
  interval: z._default(whole, 30),
  retries: z._default(whole, 3),
  startPeriod: z._default(whole, 0),
  timeout: z._default(whole, 5),
});

const restartPolicy = z.strictObject({
  enabled: z.boolean(),
  ignoredExitCodes: z._default(z.array(z.int()).check(z.maxLength(restartIgnored.value.max)), []),
  restartAttemptPeriod: z._default(
    z.int().check(z.minimum(restartPeriod.value.min), z.maximum(restartPeriod.value.max)),
    restartPeriod.value.default,
  ),
});

/** ARN of a secret. A JSON key or a version after its name is not supported. */
const secretArn = z.string().check(z.regex(/^arn:[\w-]+:secretsmanager:[\w-]+:\d{12}:secret:[\w/+=.@-]+$/));

const container = z.strictObject({
  name: z.string(),
  image: z.string(),
  essential: z._default(z.boolean(), true),
  entryPoint: z.optional(z.array(z.string())),
  command: z.optional(z.array(z.string())),
  environment: z._default(z.array(z.strictObject({ name: z.string(), value: z.string() })), []),
  dependsOn: z._default(
    z.array(z.strictObject({ containerName: z.string(), condition: z.literal(['START', 'HEALTHY']) })),
    [],
  ),
  healthCheck: z.optional(healthCheck),
  stopTimeout: z._default(whole, 30),
  restartPolicy: z.optional(restartPolicy),
  resourceRequirements: z.optional(z.array(z.strictObject({ type: z.literal('GPU'), value: z.coerce.string() }))),
  // Tasks use this machine's processors, memory and disk without limits.
  cpu: ignored,
  memory: ignored,
  memoryReservation: ignored,
  linuxParameters: ignored,
  dockerLabels: z.optional(z.record(z.string(), z.string())),
  readonlyRootFilesystem: ignored,
  /**
   * The log stream of the container's lines, in addition to the file. Without `awslogs-group` and
   * `awslogs-stream-prefix`, lines are only in the file.
   */
  logConfiguration: z.optional(
    z.strictObject({
      logDriver: z.literal('awslogs'),
      options: z._default(z.record(z.string(), z.string()), {}),
      secretOptions: none,
    }),
  ),
  /**
   * A port mapping. On this machine, a process listens on the container port itself unless the list of images names the
   * port.
   */
  portMappings: z.optional(z.array(z.looseObject({ containerPort: whole }))),
  /**
   * Credentials of a registry. They are read and checked, as ECS does before a pull, although no image is pulled.
   */
  repositoryCredentials: z.optional(z.strictObject({ credentialsParameter: secretArn })),
  mountPoints: z.optional(
    z.array(z.strictObject({ sourceVolume: z.string(), containerPath: z.string(), readOnly: z.optional(z.boolean()) })),
  ),
  volumesFrom: none,
  systemControls: none,
  secrets: z.optional(z.array(z.strictObject({ name: z.string(), valueFrom: secretArn }))),
});

const enabled = z.literal('ENABLED');

/** Only EFS volumes with the transit encryption and authorization that the EFS policy requires are supported. */
const volume = z.strictObject({
  name: z.string(),
  efsVolumeConfiguration: z.strictObject({
    fileSystemId: z.string(),
    rootDirectory: z.optional(z.literal('/')),
    transitEncryption: enabled,
    authorizationConfig: z.strictObject({ accessPointId: z.string(), iam: enabled }),
  }),
});

export const registerInput = z.strictObject({
  family: z.string().check(z.regex(/^[\w-]{1,255}$/)),
  containerDefinitions: z.array(container).check(z.minLength(1)),
  /** The role of the containers. It is required on this machine. */
  taskRoleArn: z.string(),
  executionRoleArn: z.optional(z.string()),
  tags: z.optional(z.array(z.strictObject({ key: z.string(), value: z.optional(z.string()) }))),
  // Tasks use the processors, memory, disk and network of this machine.
  cpu: ignored,
  memory: ignored,
  ephemeralStorage: ignored,
  networkMode: z.optional(z.literal(['awsvpc', 'bridge', 'host', 'none'])),
  requiresCompatibilities: z.optional(z.array(z.literal(['EC2', 'FARGATE']))),
  runtimePlatform: ignored,
  volumes: z.optional(z.array(volume)),
  placementConstraints: none,
});

export type Registration = z.output<typeof registerInput>;
export type RegisteredContainer = Registration['containerDefinitions'][number];
