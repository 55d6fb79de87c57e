import { RemovalPolicy } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct, type IConstruct } from 'constructs';
import { type Client, roleOf } from '../constructs/client.ts';
import { explain, type Reason } from '../constructs/reasons.ts';
import { SharedValue } from '../constructs/shared-value.ts';

/**
 * The KMS key that encrypts the data keys of secrets. Without this key all secrets are lost. KMS rotates it each
 * year.
 */
export class SecretsKey extends Construct {
  readonly #arn: SharedValue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const key = new Key(this, 'Key', {
      description: 'gpu-endpoints: encrypts the data keys of s3Config of jobs, and of the secrets that sign webhooks',
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    this.#arn = new SharedValue(this, 'Arn', key.keyArn);
  }

  /** Returns the ARN of the key, in the stack of the construct. */
  arnIn(reader: IConstruct): string {
    return this.#arn.in(reader);
  }

  /** Lets the client encrypt the secrets of jobs, but not decrypt them. */
  grantSeal(client: Client): void {
    const reason =
      'Creates the data key that seals the `s3Config` of a job. Opening an `s3Config` needs another permission.';
    this.#grant(client, ['GenerateDataKey'], reason);
  }

  /** Lets the client read the secrets of one endpoint's jobs. */
  grantOpen(client: Client, endpoint: string): void {
    const reason = 'Opens the `s3Config` of its jobs. The encryption context limits this to its endpoint.';
    this.#grant(client, ['Decrypt'], reason, { StringEquals: { 'kms:EncryptionContext:endpoint': endpoint } });
  }

  /** Lets the client create and read the secrets that sign webhooks, and no other secrets. */
  grantSign(client: Client): void {
    const conditions = { Null: { 'kms:EncryptionContext:webhooksOf': 'false' } };
    const reason =
      'Opens the secrets that sign webhooks, and seals the first one of an endpoint. The encryption context excludes secrets of jobs.';
    this.#grant(client, ['GenerateDataKey', 'Decrypt'], reason, conditions);
  }

  #grant(client: Client, names: string[], reason: Reason, conditions?: Record<string, Record<string, string>>): void {
    const arn = this.arnIn(roleOf(client));
    const actions = names.map((name) => `kms:${name}`);
    const granted = { grantee: client, actions, resourceArns: [arn], ...(conditions && { conditions }) };
    Grant.addToPrincipal(granted).assertSuccess();
    client.addEnvironment('SECRETS_KEY', arn);
    explain(client, 'kms', names, 'key of secrets', reason);
  }
}
