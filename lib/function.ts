import { join } from 'node:path';
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogLevel, NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { repository } from './repository.ts';

export interface ServiceFunctionProps {
  /** Source file below the repository; it exports `handler`. */
  readonly entry: string;
  readonly description: string;
  /** @default 10 seconds: every handler makes a few calls that each take milliseconds */
  readonly timeout?: Duration;
}

/**
 * Every function of this service: Node 24 on arm64, one minified CommonJS file with the AWS SDK inside. That form loads
 * fastest: an ESM bundle, or the SDK of the runtime, costs some 10 to 25 ms more per cold start.
 */
export class ServiceFunction extends NodejsFunction {
  /** Who the function is. It may write its own log; all else it is granted. */
  readonly identity: Role;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    logGroup.grantWrite(role);

    super(scope, id, {
      timeout: Duration.seconds(10),
      ...props,
      entry: join(repository, props.entry),
      projectRoot: repository,
      depsLockFilePath: join(repository, 'package-lock.json'),
      handler: 'handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: 512,
      environment: { POWERTOOLS_SERVICE_NAME: 'gpu-endpoints' },
      // A setting for the SDK's version 2, which would only take room.
      awsSdkConnectionReuse: false,
      bundling: {
        format: OutputFormat.CJS,
        mainFields: ['module', 'main'],
        target: 'node24',
        bundleAwsSDK: true,
        minify: true,
        sourceMap: false,
        logLevel: LogLevel.WARNING,
      },
      role,
      logGroup,
    });
    this.identity = role;
  }
}
