/**
 * The supported fields of a task definition. Fields of AWS that are not supported here are refused by name. Fields
 * without a counterpart on one machine have no effect, and are returned when the task definition is described.
 */
import * as z from 'zod/mini';
import { ignored } from '../cloudformation/resource.ts';
import { rules } from './rules.ts';

const whole = z.int().check(z.minimum(0));
const { restartPeriod, restartIgnored } = rules;

/** Features that this machine lacks. A caller that registers what ECS described names them with empty values. */
const none = z.optional(z.array(z.never()));

const healthCheck = z.strictObject({
  // images.yaml names the health check, because the command needs the image.
  command: ignored,
  interval: z._default(whole, 30),
  retries: z._default(whole, 3),
  startPeriod: z._default(whole, 0),
  timeout: z._default(whole, 5),
});

const restartPolicy = z.strictObject({
  enabled: z.boolean(),
  ignoredExitCodes: z._default(z.array(z.int()).check(z.maxLength(restartIgnored.value.most)), []),
  restartAttemptPeriod: z._default(
    z.int().check(z.minimum(restartPeriod.value.least), z.maximum(restartPeriod.value.most)),
    restartPeriod.value.default,
  ),
});

/** ARN of a secret. A key or a version after its name is not supported. */
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
  // This machine's processors, memory and disk, for as much of them as there is.
  cpu: ignored,
  memory: ignored,
  memoryReservation: ignored,
  linuxParameters: ignored,
  readonlyRootFilesystem: ignored,
  /**
   * The log stream of its lines, besides the file; without `awslogs-group` and `awslogs-stream-prefix`, the file alone.
   */
  logConfiguration: z.optional(
    z.strictObject({
      logDriver: z.literal('awslogs'),
      options: z._default(z.record(z.string(), z.string()), {}),
      secretOptions: none,
    }),
  ),
  /** A process listens on ports that images.yaml does not name as they are, on this machine. */
  portMappings: z.optional(z.array(z.looseObject({ containerPort: whole }))),
  /** Credentials of a registry. They are read and checked, as in ECS before a pull, although no image is pulled. */
  repositoryCredentials: z.optional(z.strictObject({ credentialsParameter: secretArn })),
  mountPoints: z.optional(
    z.array(z.strictObject({ sourceVolume: z.string(), containerPath: z.string(), readOnly: z.optional(z.boolean()) })),
  ),
  volumesFrom: none,
  systemControls: none,
  secrets: z.optional(z.array(z.strictObject({ name: z.string(), valueFrom: secretArn }))),
});

const enabled = z.literal('ENABLED');

/** Other file systems, and EFS without the transit and authorization that its policy requires, are not supported. */
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
  /** The role of the containers; required here. */
  taskRoleArn: z.string(),
  executionRoleArn: z.optional(z.string()),
  tags: z.optional(z.array(z.strictObject({ key: z.string(), value: z.optional(z.string()) }))),
  // The size, the disk and the network are this machine's.
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
