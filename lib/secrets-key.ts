import { RemovalPolicy } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { Client } from './client.ts';

/** The key under which KMS encrypts the data keys of secrets: with it gone, so are they. A new version of it each year. */
export class SecretsKey extends Construct {
  readonly #key: Key;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.#key = new Key(this, 'Key', {
      description: 'gpu-endpoints: encrypts the data keys of what clients give to workers in s3Config',
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
  }

  /** To encrypt the secrets of jobs, and not to read them again. */
  grantSeal(client: Client): void {
    this.#grant(client, 'kms:GenerateDataKey');
  }

  /** To read the secrets of one endpoint's jobs. */
  grantOpen(client: Client, endpoint: string): void {
    this.#grant(client, 'kms:Decrypt', { StringEquals: { 'kms:EncryptionContext:endpoint': endpoint } });
  }

  #grant(client: Client, action: string, conditions?: Record<string, Record<string, string>>): void {
    const resourceArns = [this.#key.keyArn];
    Grant.addToPrincipal({ grantee: client, actions: [action], resourceArns, conditions }).assertSuccess();
    client.addEnvironment('SECRETS_KEY', this.#key.keyArn);
  }
}
