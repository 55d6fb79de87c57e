/** The account that the stacks believe to be deployed in: what CloudFormation's pseudo parameters say here. */
export const account = {
  id: '000000000000',
  region: 'us-east-1',
  partition: 'aws',
  urlSuffix: 'amazonaws.com',
} as const;

export const arn = (service: string, resource: string, region: string = account.region): string =>
  `arn:${account.partition}:${service}:${region}:${account.id}:${resource}`;

/** Where the emulators themselves are; code of the stacks is never told. */
export interface EmulatorAddresses {
  readonly dynamodbUrl: string;
  /** Of S3, too. */
  readonly sqsUrl: string;
  readonly s3Url: string;
}

/** The one identity that may do everything: whoever started the service, with the commands of this repository. */
export const OPERATOR = 'operator';

/**
 * The environment in which an AWS SDK talks to the proxy and to nothing else, whatever the user's own AWS configuration
 * says.
 * @param identity name of the role that the code runs under; it travels as the access key of every call
 * @param session what AWS calls the role's session: a function's name, a task's id; it travels as the session token
 */
export function awsEnvironment(proxyUrl: string, identity: string, session: string): Record<string, string> {
  return {
    AWS_REGION: account.region,
    AWS_ACCESS_KEY_ID: identity,
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_SESSION_TOKEN: session,
    AWS_ENDPOINT_URL: proxyUrl,
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  };
}
