/** The account that the stacks believe to be deployed in: what CloudFormation's pseudo parameters say here. */
export const account = {
  id: '000000000000',
  region: 'us-east-1',
  partition: 'aws',
  urlSuffix: 'amazonaws.com',
} as const;

export const arn = (service: string, resource: string, region: string = account.region): string =>
  `arn:${account.partition}:${service}:${region}:${account.id}:${resource}`;

export interface EmulatorAddresses {
  readonly dynamodbUrl: string;
  /** Of S3, too. */
  readonly sqsUrl: string;
}

/**
 * The environment in which an AWS SDK talks to the emulators and to nothing else, whatever the user's own AWS
 * configuration says.
 * @param identity name of the role that the code runs under; it travels as the access key of every call
 */
export function awsEnvironment({ dynamodbUrl, sqsUrl }: EmulatorAddresses, identity: string): Record<string, string> {
  return {
    AWS_REGION: account.region,
    AWS_ACCESS_KEY_ID: identity,
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: dynamodbUrl,
    AWS_ENDPOINT_URL_SQS: sqsUrl,
    AWS_ENDPOINT_URL_S3: sqsUrl,
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  };
}
