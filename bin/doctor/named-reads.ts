/** Reads the resources that settings name, and the logging role that a setting needs. No call returns a secret. */
import { ACMClient, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import { DescribeSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetTopicAttributesCommand, SNSClient, type SNSClientConfig } from '@aws-sdk/client-sns';
import { bounded, undefinedIfNotFound } from './bounded.ts';

export interface Certificate {
  /** Status in ACM, such as `ISSUED`, or `unknown` if ACM returns none. */
  readonly status: string;
  /** Domain names, which can begin with `*.`. */
  readonly names: readonly string[];
  /** @default - the certificate has not been issued */
  readonly expires?: Date | undefined;
}

/** Each method throws `CallFailed` if the call fails or times out. */
export interface NamedReads {
  /** @returns the certificate of us-east-1, or undefined if it does not exist */
  certificate(arn: string): Promise<Certificate | undefined>;
  /** @returns the number of confirmed subscriptions of the topic, or undefined if it does not exist */
  subscriptions(topic: string): Promise<number | undefined>;
  /** @returns the state of the secret */
  secret(name: string): Promise<'exists' | 'missing' | 'scheduledForDeletion'>;
  /** @returns the ARN of the role with which API Gateway writes logs in this Region, or undefined without one */
  loggingRole(): Promise<string | undefined>;
}

/** @param limit for one call, in milliseconds */
export function createNamedReads(settings: SNSClientConfig, limit: number): NamedReads {
  // CloudFront uses only certificates of this Region.
  const certificates = new ACMClient({ ...settings, region: 'us-east-1' });
  const topics = new SNSClient(settings);
  const secrets = new SecretsManagerClient(settings);
  const gateway = new APIGatewayClient(settings);
  return {
    certificate: (CertificateArn) =>
      bounded('acm:DescribeCertificate', limit, async () => {
        const command = new DescribeCertificateCommand({ CertificateArn });
        const found = await undefinedIfNotFound('ResourceNotFoundException', () => certificates.send(command));
        if (!found?.Certificate) return undefined;
        const {
          Status: status = 'unknown',
          DomainName = '',
          SubjectAlternativeNames = [],
          NotAfter,
        } = found.Certificate;
        const names = [DomainName, ...SubjectAlternativeNames].filter(Boolean);
        return { status, names: [...new Set(names)], expires: NotAfter };
      }),
    subscriptions: (TopicArn) =>
      bounded('sns:GetTopicAttributes', limit, async () => {
        const command = new GetTopicAttributesCommand({ TopicArn });
        const found = await undefinedIfNotFound('NotFoundException', () => topics.send(command));
        return found && Number(found.Attributes?.SubscriptionsConfirmed ?? 0);
      }),
    secret: (SecretId) =>
      bounded('secretsmanager:DescribeSecret', limit, async () => {
        const command = new DescribeSecretCommand({ SecretId });
        const found = await undefinedIfNotFound('ResourceNotFoundException', () => secrets.send(command));
        if (!found) return 'missing';
        return found.DeletedDate ? 'scheduledForDeletion' : 'exists';
      }),
    loggingRole: () =>
      bounded('apigateway:GET on /account', limit, async () => {
        return (await gateway.send(new GetAccountCommand({}))).cloudwatchRoleArn || undefined;
      }),
  };
}
