import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { chunkPrefixesOf, objectDays, objectPrefixesOf, resultPrefixOf } from '../../core/jobs/payload.ts';
import { acknowledge, acknowledgeGrant } from '../constructs/checks.ts';
import { type Client, roleOf } from '../constructs/client.ts';
import { SharedValue, shownIn } from '../constructs/shared-value.ts';

/** Inputs, outputs, errors and chunks too large for a table. Objects say by the first part of their key how long they are kept. */
export class PayloadBucket extends Construct {
  readonly #name: SharedValue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const bucket = new Bucket(this, 'Bucket', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.RETAIN,
      lifecycleRules: objectDays.map((days) => ({ prefix: `${days}/`, expiration: Duration.days(days) })),
    });
    acknowledge(bucket, {
      S1: 'Objects are read and written by the functions and workers of this service alone, whose calls CloudTrail can log.',
    });
    this.#name = new SharedValue(this, 'Name', bucket.bucketName);
  }

  grantSubmit(client: Client): void {
    this.#grant(client, ['PutObject'], ['*']);
  }

  grantRead(client: Client): void {
    this.#grant(client, ['GetObject'], ['*']);
  }

  /** To load the inputs of one endpoint, and store its outputs and chunks. */
  grantWork(client: Client, endpoint: string): void {
    const written = new Set([resultPrefixOf(endpoint), ...chunkPrefixesOf(endpoint)]);
    const keys = (prefixes: Iterable<string>) => [...prefixes].map((prefix) => `${prefix}*`);
    this.#grant(client, ['GetObject'], keys(objectPrefixesOf(endpoint)));
    this.#grant(client, ['PutObject'], keys(written));
  }

  #grant(client: Client, actions: readonly string[], keys: readonly string[]): void {
    const role = roleOf(client);
    const name = this.#name.in(role);
    const { partition } = Stack.of(role);
    Grant.addToPrincipal({
      grantee: client,
      actions: actions.map((action) => `s3:${action}`),
      resourceArns: keys.map((key) => `arn:${partition}:s3:::${name}/${key}`),
    }).assertSuccess();
    for (const key of keys)
      acknowledgeGrant(client, {
        [`IAM5[Resource::arn:<AWS::Partition>:s3:::${shownIn(role, name)}/${key}]`]:
          'Objects of jobs to come have no names yet; a prefix names their endpoint.',
      });
    client.addEnvironment('PAYLOADS_BUCKET', name);
  }
}
