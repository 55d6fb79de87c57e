/**
 * What a registration of a task definition may say here. What it may say on AWS and is not honoured here is refused by
 * name; what has no counterpart on one machine is read by nobody, and given back when somebody asks for it.
 */
import * as z from 'zod/mini';
import { ignored } from '../cloudformation/resource.ts';
import { rules } from './rules.ts';

const whole = z.int().check(z.minimum(0));
const { restartPeriod, restartIgnored } = rules;

/** Of what this machine has none; whoever repeats what ECS described names it without wanting it. */
const none = z.optional(z.array(z.never()));

const healthCheck = z.strictObject({
  // images.yaml says how to check: the command belongs into the image.
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

/** Of Secrets Manager; without a key or a version of it after its name, which are not honoured here. */
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
  /** Where its lines go, besides a file; into that alone without `awslogs-group` and `awslogs-stream-prefix`. */
  logConfiguration: z.optional(
    z.strictObject({
      logDriver: z.literal('awslogs'),
      options: z._default(z.record(z.string(), z.string()), {}),
      secretOptions: none,
    }),
  ),
  /** Of ports that images.yaml does not name, a process listens on this machine itself. */
  portMappings: z.optional(z.array(z.looseObject({ containerPort: whole }))),
  /** Of an image that is not pulled: the credentials are looked at, as ECS does before it pulls. */
  repositoryCredentials: z.optional(z.strictObject({ credentialsParameter: secretArn })),
  mountPoints: z.optional(
    z.array(z.strictObject({ sourceVolume: z.string(), containerPath: z.string(), readOnly: z.optional(z.boolean()) })),
  ),
  volumesFrom: none,
  systemControls: none,
  secrets: z.optional(z.array(z.strictObject({ name: z.string(), valueFrom: secretArn }))),
});

const enabled = z.literal('ENABLED');

/** A file system that is not EFS's, or not reached as its policy wants it, has no counterpart here. */
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
  /** Whose credentials the containers get: here, nothing runs without. */
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
