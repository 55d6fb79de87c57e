import { RemovalPolicy } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct, type IConstruct } from 'constructs';
import { type Client, roleOf } from '../constructs/client.ts';
import { explain, type Why } from '../constructs/reasons.ts';
import { SharedValue } from '../constructs/shared-value.ts';

/** The KMS key that encrypts the data keys of secrets. Without it all secrets are lost. KMS rotates it each year. */
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

  /** Returns the ARN of the key, in the stack of the construct. */
  arnIn(reader: IConstruct): string {
    return this.#arn.in(reader);
  }

  /** To encrypt the secrets of jobs, and not to decrypt them. */
  grantSeal(client: Client): void {
    const why = 'Makes the data key by which it seals the `s3Config` of a job; to open one takes another permission.';
    this.#grant(client, ['GenerateDataKey'], why);
  }

  /** To read the secrets of one endpoint's jobs. */
  grantOpen(client: Client, endpoint: string): void {
    const why = 'Opens the `s3Config` of its jobs; the encryption context lets it open those of its endpoint alone.';
    this.#grant(client, ['Decrypt'], why, { StringEquals: { 'kms:EncryptionContext:endpoint': endpoint } });
  }

  /** To make and read the secrets by which webhooks are signed, and no others. */
  grantSign(client: Client): void {
    const conditions = { Null: { 'kms:EncryptionContext:webhooksOf': 'false' } };
    const why =
      'Opens the secrets that sign webhooks, and seals the first one of an endpoint; the encryption context lets it open no secret of a job.';
    this.#grant(client, ['GenerateDataKey', 'Decrypt'], why, conditions);
  }

  #grant(client: Client, names: string[], why: Why, conditions?: Record<string, Record<string, string>>): void {
    const arn = this.arnIn(roleOf(client));
    const actions = names.map((name) => `kms:${name}`);
    Grant.addToPrincipal({ grantee: client, actions, resourceArns: [arn], conditions }).assertSuccess();
    client.addEnvironment('SECRETS_KEY', arn);
    explain(client, 'kms', names, 'key of secrets', why);
  }
}
