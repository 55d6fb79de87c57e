import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { Role } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { DEPLOYMENT_VARIABLE } from '../../core/deployment.ts';
import { deploymentOf } from '../settings/settings.ts';
import { bundle } from './bundle.ts';
import { FunctionRole } from './function-role.ts';
import { explain } from './reasons.ts';
import { type ReservingFunction, reservedConcurrencyOf } from './reserved-concurrency.ts';

/** Name of the service in logs and metrics. */
export const SERVICE = 'gpu-endpoints';

export interface ServiceFunctionProps {
  /** Path of the source file in the repository. */
  readonly entry: string;
  /**
   * Name of the handler that the file exports.
   * @default 'handler'
   */
  readonly export?: string | undefined;
  readonly description: string;
  /**
   * Selects the size of the function's reserved concurrency, if the deployment reserves any.
   * @default - no concurrency is reserved for the function
   */
  readonly reserving?: ReservingFunction;
  /** @default 10 seconds: handlers send a few requests that each take milliseconds */
  readonly timeout?: Duration;
  /**
   * Adds files to the code. The function finds them below `LAMBDA_TASK_ROOT`.
   * @default - none
   */
  readonly addFiles?: (folder: string) => void;
}

/**
 * A Lambda function of this service: Node 24 on arm64, one minified CommonJS file that includes the AWS SDK. This
 * format loads fastest: an ESM bundle, or the SDK of the runtime, adds 10 to 25 ms to a cold start.
 */
export class ServiceFunction extends LambdaFunction {
  /** The role of the function, which may write to its own log group. Grants add all other permissions. */
  readonly identity: Role;

  constructor(
    scope: Construct,
    id: string,
    { entry, export: exported = 'handler', reserving, addFiles, ...settings }: ServiceFunctionProps,
  ) {
    const role = new FunctionRole(scope, `${id}Role`);
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    logGroup.grantWrite(role);
    explain(role, 'logs', ['CreateLogStream', 'PutLogEvents'], 'its log group', {
      reason: "Lambda writes the function's log.",
      unused: 'On a laptop, logs are files.',
    });

    const reserved = reserving && reservedConcurrencyOf(scope, reserving);
    super(scope, id, {
      timeout: Duration.seconds(10),
      ...settings,
      code: bundle(scope, entry, addFiles),
      handler: `index.${exported}`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: 512,
      ...(reserved !== undefined && { reservedConcurrentExecutions: reserved }),
      environment: { POWERTOOLS_SERVICE_NAME: SERVICE, [DEPLOYMENT_VARIABLE]: deploymentOf(scope) },
      role,
      logGroup,
      // Lambda would add three lines about each call that succeeds, which cost money and say what its metrics say. Lines of
      // the code are JSON already, and stay as they are.
      loggingFormat: LoggingFormat.JSON,
      systemLogLevelV2: SystemLogLevel.WARN,
    });
    this.identity = role;
  }
}

/** Lambda retries a failed call after one minute, and once more after another two minutes. */
const ATTEMPTS = 3;
const BETWEEN = Duration.minutes(1 + 2);
/** Lambda starts a retry some seconds late when it is busy. */
const SPARE = Duration.minutes(1);

/**
 * Returns how long CloudFormation waits for the response of the function's custom resource: until the last of
 * Lambda's attempts has ended, so that each attempt counts. By default, CloudFormation waits for an hour.
 */
export function serviceTimeoutOf({ timeout }: Pick<ServiceFunction, 'timeout'>): Duration {
  if (timeout === undefined) throw new Error('A ServiceFunction must have a timeout.');
  return Duration.seconds(ATTEMPTS * timeout.toSeconds())
    .plus(BETWEEN)
    .plus(SPARE);
}
