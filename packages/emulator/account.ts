/**
 * The account and Region that the local stacks are deployed in: the values of CloudFormation's pseudo parameters.
 */
export const account = {
  id: '000000000000',
  region: 'us-east-1',
  partition: 'aws',
  urlSuffix: 'amazonaws.com',
} as const;

export const arn = (service: string, resource: string, region: string = account.region): string =>
  `arn:${account.partition}:${service}:${region}:${account.id}:${resource}`;

/** Addresses of the emulators. Code of the stacks never gets them, because it must call the proxy. */
export interface EmulatorAddresses {
  readonly dynamodbUrl: string;
  readonly sqsUrl: string;
  readonly s3Url: string;
}

/** The only identity with all permissions: the user that started the service, and the repository's commands. */
export const OPERATOR = 'operator';

/**
 * Returns environment variables that make an AWS SDK call the proxy only, whatever the user's own AWS configuration
 * is.
 * @param identity name of the role that the code runs under, sent as the access key of every call
 * @param session name of the role's session, such as a function's name or a task's id, sent as the session token
 */
export type AwsEnvironment = (identity: string, session: string) => Record<string, string>;

/** @param secretOf returns the secret access key of a role's session */
export function createAwsEnvironment(
  proxyUrl: string,
  secretOf: (identity: string, session: string) => string,
): AwsEnvironment {
  return (identity, session) => ({
    AWS_REGION: account.region,
    AWS_ACCESS_KEY_ID: identity,
    AWS_SECRET_ACCESS_KEY: secretOf(identity, session),
    AWS_SESSION_TOKEN: session,
    AWS_ENDPOINT_URL: proxyUrl,
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  });
}
