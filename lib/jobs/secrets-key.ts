import { RemovalPolicy, Stack, Token } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { Construct, type IConstruct } from 'constructs';
import { type Grantee, roleOf } from '../constructs/grantee.ts';
import { explain, type Reason } from '../constructs/reasons.ts';
import { SharedValue } from '../constructs/shared-value.ts';
import { InvalidSetting } from '../settings/settings.ts';

/**
 * The KMS key that encrypts the data keys of secrets. Without this key all secrets are lost. KMS rotates it each
 * year.
 */
export class SecretsKey extends Construct {
  readonly #arn: SharedValue;

  /**
   * @param given key of the app, instead of a new one
   * @throws InvalidSetting if it is of another Region
   */
  constructor(scope: Construct, id: string, given?: IKey) {
    super(scope, id);
    if (given) requireRegion(given, Stack.of(this).region);
    const { keyArn } = given ?? this.#ownKey();
    this.#arn = new SharedValue(this, 'Arn', keyArn);
  }

  #ownKey(): Key {
    return new Key(this, 'Key', {
      description: 'gpu-endpoints: encrypts the data keys of s3Config of jobs, and of the secrets that sign webhooks',
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
  }

  /** Returns the ARN of the key, in the stack of the construct. */
  arnIn(reader: IConstruct): string {
    return this.#arn.in(reader);
  }

  /** Lets the grantee encrypt the secrets of jobs, but not decrypt them. */
  grantSeal(grantee: Grantee): void {
    const reason =
      'Creates the data key that seals the `s3Config` of a job. Opening an `s3Config` needs another permission.';
    this.#grant(grantee, ['GenerateDataKey'], reason);
  }

  /** Lets the grantee read the secrets of one endpoint's jobs. */
  grantOpen(grantee: Grantee, endpoint: string): void {
    const reason = 'Opens the `s3Config` of its jobs. The encryption context limits this to its endpoint.';
    this.#grant(grantee, ['Decrypt'], reason, { StringEquals: { 'kms:EncryptionContext:endpoint': endpoint } });
  }

  /** Lets the grantee create and read the secrets that sign webhooks, and no other secrets. */
  grantSign(grantee: Grantee): void {
    const conditions = { Null: { 'kms:EncryptionContext:webhooksOf': 'false' } };
    const reason =
      'Opens the secrets that sign webhooks, and seals the first one of an endpoint. The encryption context excludes secrets of jobs.';
    this.#grant(grantee, ['GenerateDataKey', 'Decrypt'], reason, conditions);
  }

  #grant(grantee: Grantee, names: string[], reason: Reason, conditions?: Record<string, Record<string, string>>): void {
    const arn = this.arnIn(roleOf(grantee));
    const actions = names.map((name) => `kms:${name}`);
    const granted = { grantee, actions, resourceArns: [arn], ...(conditions && { conditions }) };
    Grant.addToPrincipal(granted).assertSuccess();
    grantee.addEnvironment('SECRETS_KEY', arn);
    explain(grantee, 'kms', names, 'key of secrets', reason);
  }
}

function requireRegion({ env }: IKey, region: string): void {
  if (Token.isUnresolved(env.region) || Token.isUnresolved(region) || env.region === region) return;
  throw new InvalidSetting(
    `The app gives \`encryptionKey\` of the Region ${env.region}: it must be of ${region}, the Region of the stacks.`,
  );
}
