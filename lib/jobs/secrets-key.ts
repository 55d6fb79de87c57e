import { RemovalPolicy } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct, type IConstruct } from 'constructs';
import { type Client, roleOf } from '../constructs/client.ts';
import { SharedValue } from '../constructs/shared-value.ts';

/** The key under which KMS encrypts the data keys of secrets: with it gone, so are they. A new version of it each year. */
export class SecretsKey extends Construct {
  readonly #arn: SharedValue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const key = new Key(this, 'Key', {
      description: 'gpu-endpoints: encrypts the data keys of s3Config of jobs, and of the secrets that sign webhooks',
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    this.#arn = new SharedValue(this, 'Arn', key.keyArn);
  }

  /** Its ARN, in the stack of the construct. */
  arnIn(reader: IConstruct): string {
    return this.#arn.in(reader);
  }

  /** To encrypt the secrets of jobs, and not to read them again. */
  grantSeal(client: Client): void {
    this.#grant(client, ['kms:GenerateDataKey']);
  }

  /** To read the secrets of one endpoint's jobs. */
  grantOpen(client: Client, endpoint: string): void {
    this.#grant(client, ['kms:Decrypt'], { StringEquals: { 'kms:EncryptionContext:endpoint': endpoint } });
  }

  /** To make and read the secrets by which webhooks are signed, and no others. */
  grantSign(client: Client): void {
    const conditions = { Null: { 'kms:EncryptionContext:webhooksOf': 'false' } };
    this.#grant(client, ['kms:GenerateDataKey', 'kms:Decrypt'], conditions);
  }

  #grant(client: Client, actions: string[], conditions?: Record<string, Record<string, string>>): void {
    const arn = this.arnIn(roleOf(client));
    Grant.addToPrincipal({ grantee: client, actions, resourceArns: [arn], conditions }).assertSuccess();
    client.addEnvironment('SECRETS_KEY', arn);
  }
}
