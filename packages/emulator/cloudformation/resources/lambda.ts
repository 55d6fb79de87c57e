import { parse } from 'node:path';
import * as z from 'zod/mini';
import { arn } from '../../account.ts';
import { LocalError } from '../../local-error.ts';
import { describe, ignored, physicalName } from '../resource.ts';
import { run } from '../resource-type.ts';

const number = z.coerce.number();

const functionSchema = z.strictObject({
  FunctionName: z.optional(z.string()),
  Code: z.strictObject({ S3Bucket: ignored, S3Key: z.string() }),
  Handler: z.string(),
  Role: z.string(),
  Runtime: z.literal('nodejs24.x'),
  Timeout: z._default(number, 3),
  MemorySize: z._default(number, 128),
  ReservedConcurrentExecutions: z.optional(number),
  Environment: z._default(z.strictObject({ Variables: z._default(z.record(z.string(), z.string()), {}) }), {
    Variables: {},
  }),
  PackageType: z.optional(z.literal('Zip')),
  Description: ignored,
  // Functions run on the processor of this machine, and log to a file instead of a log group.
  Architectures: ignored,
  LoggingConfig: ignored,
  Tags: ignored,
});

/** Returns the name in a role's ARN. The function calls AWS under that name. */
export const roleName = (roleArn: string): string => roleArn.split('/').at(-1) ?? roleArn;

export const lambdaFunction = run(functionSchema, (resource, cloud) => {
  const { functions, product, awsEnvironment, logFile } = cloud;
  const { FunctionName = physicalName(resource, 64), Code, Handler, Role, Timeout, MemorySize } = resource.properties;
  const folder = resource.stack.fileAsset(parse(Code.S3Key).name);
  if (!folder)
    throw new LocalError(`${describe(resource)} cannot run here: its code ${Code.S3Key} is not in the assembly.`);
  const functionArn = arn('lambda', `function:${FunctionName}`);
  const { Variables } = resource.properties.Environment;
  functions.define({
    name: FunctionName,
    arn: functionArn,
    folder,
    handler: Handler,
    role: Role,
    timeout: Timeout * 1000,
    reserved: resource.properties.ReservedConcurrentExecutions,
    environment: {
      ...(product.localVariables?.(Variables) ?? Variables),
      ...awsEnvironment(roleName(Role), FunctionName),
      AWS_LAMBDA_FUNCTION_NAME: FunctionName,
      LAMBDA_TASK_ROOT: folder,
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(MemorySize),
    },
    log: logFile(FunctionName),
  });
  return { ref: FunctionName, attributes: { Arn: functionArn } };
});
