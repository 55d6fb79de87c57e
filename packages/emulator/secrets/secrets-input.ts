/** The supported inputs of Secrets Manager. Fields of AWS that are not supported here are refused by name. */
import * as z from 'zod/mini';
import { AwsFault } from '../aws-proxy/aws-fault.ts';

const MAX_VALUE_BYTES = 65_536;

const name = z.string().check(z.regex(/^[\w/+=.@-]{1,512}$/));
const id = z.string().check(z.minLength(1), z.maxLength(2048));
/** Token that all retries of a request share. It becomes the id of the version. The SDK sets it. */
const token = z.string().check(z.minLength(32), z.maxLength(64));
const value = z
  .string()
  .check(z.minLength(1))
  .check(z.refine((text) => Buffer.byteLength(text) <= MAX_VALUE_BYTES));
const recoveryDays = { min: 7, max: 30 } as const;

export const inputs = {
  CreateSecret: z.strictObject({
    Name: name,
    ClientRequestToken: token,
    Description: z.optional(z.string().check(z.maxLength(2048))),
    SecretString: value,
    Tags: z._default(z.array(z.strictObject({ Key: z.string(), Value: z.string() })), []),
  }),
  DescribeSecret: z.strictObject({ SecretId: id }),
  GetSecretValue: z.strictObject({
    SecretId: id,
    VersionStage: z._default(z.literal(['AWSCURRENT', 'AWSPREVIOUS']), 'AWSCURRENT'),
  }),
  PutSecretValue: z.strictObject({ SecretId: id, ClientRequestToken: token, SecretString: value }),
  ListSecrets: z.strictObject({
    Filters: z._default(z.array(z.strictObject({ Key: z.literal('name'), Values: z.array(z.string()) })), []),
    IncludePlannedDeletion: z._default(z.boolean(), false),
    MaxResults: z._default(z.int().check(z.minimum(1), z.maximum(100)), 100),
    /** Name of the last secret on the previous page. */
    NextToken: z.optional(z.string()),
  }),
  DeleteSecret: z.strictObject({
    SecretId: id,
    RecoveryWindowInDays: z._default(
      z.int().check(z.minimum(recoveryDays.min), z.maximum(recoveryDays.max)),
      recoveryDays.max,
    ),
    ForceDeleteWithoutRecovery: z._default(z.boolean(), false),
  }),
  RestoreSecret: z.strictObject({ SecretId: id }),
} as const;

export type Operation = keyof typeof inputs;
export type Input<Name extends Operation> = z.output<(typeof inputs)[Name]>;

/**
 * Checks that the operation exists.
 * @throws AwsFault `UnknownOperationException`
 */
export function asOperation(operation: string): Operation {
  if (Object.hasOwn(inputs, operation)) return operation as Operation;
  const message = `Secrets Manager has no operation ${operation} on this machine.`;
  throw new AwsFault(400, 'UnknownOperationException', message);
}

/**
 * Parses an input.
 * @throws AwsFault that names invalid members without their values, because these could be secret
 */
export function asInput<Name extends Operation>(operation: Name, input: unknown): Input<Name> {
  const parsed = z.safeParse(inputs[operation], input);
  if (parsed.success) return parsed.data as Input<Name>;
  const members = parsed.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys : issue.path.map(String),
  );
  const message = `${operation} does not accept this ${members.join(', ')}.`;
  throw new AwsFault(400, 'InvalidParameterException', message);
}
