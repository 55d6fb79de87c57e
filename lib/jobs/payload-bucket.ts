import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { chunkPrefixesOf, objectDays, objectPrefixesOf, resultPrefixOf } from '../../core/jobs/payload.ts';
import { acknowledge, acknowledgeGrant } from '../constructs/acknowledge.ts';
import { type Grantee, roleOf } from '../constructs/grantee.ts';
import { explain, type Reason } from '../constructs/reasons.ts';
import { SharedValue, shownIn } from '../constructs/shared-value.ts';

/** Returns the name of an endpoint's objects in `docs/reference/permissions.md`. The prefix begins with the retention in days. */
const named = (prefix: string) => `its objects of ${prefix.split('/')[0]} days`;

/**
 * Inputs, outputs, errors and chunks that are too large for a table. The first part of an object's key is its
 * retention in days.
 */
export class PayloadBucket extends Construct {
  readonly #name: SharedValue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const bucket = new Bucket(this, 'Bucket', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      lifecycleRules: objectDays.map((days) => ({ prefix: `${days}/`, expiration: Duration.days(days) })),
    });
    acknowledge(bucket, {
      S1: 'Only functions and workers of this service read and write objects, and CloudTrail can log their calls.',
    });
    this.#name = new SharedValue(this, 'Name', bucket.bucketName);
  }

  grantSubmit(grantee: Grantee, reason: Reason): void {
    this.#grant(grantee, ['PutObject'], ['*']);
    explain(grantee, 's3', ['PutObject'], 'all payload objects', reason);
  }

  grantRead(grantee: Grantee, reason: Reason): void {
    this.#grant(grantee, ['GetObject'], ['*']);
    explain(grantee, 's3', ['GetObject'], 'all payload objects', reason);
  }

  /** Lets the grantee load the inputs of one endpoint, and store its outputs and chunks. */
  grantWork(grantee: Grantee, endpoint: string): void {
    const written = new Set([resultPrefixOf(endpoint), ...chunkPrefixesOf(endpoint)]);
    const keys = (prefixes: Iterable<string>) => [...prefixes].map((prefix) => `${prefix}*`);
    this.#grant(grantee, ['GetObject'], keys(objectPrefixesOf(endpoint)));
    this.#grant(grantee, ['PutObject'], keys(written));

    const loads =
      'Loads inputs of more than 7 KB of its endpoint. The number of days depends on how long the job can wait and run.';
    explain(grantee, 's3', ['GetObject'], objectPrefixesOf(endpoint).map(named), loads);
    for (const prefix of written) {
      const stores =
        prefix === resultPrefixOf(endpoint)
          ? 'Stores outputs, errors and chunks of more than 7 KB of its endpoint.'
          : 'Stores chunks of more than 7 KB for jobs of its endpoint that can run for days.';
      explain(grantee, 's3', ['PutObject'], named(prefix), stores);
    }
  }

  #grant(grantee: Grantee, actions: readonly string[], keys: readonly string[]): void {
    const role = roleOf(grantee);
    const name = this.#name.in(role);
    const { partition } = Stack.of(role);
    Grant.addToPrincipal({
      grantee,
      actions: actions.map((action) => `s3:${action}`),
      resourceArns: keys.map((key) => `arn:${partition}:s3:::${name}/${key}`),
    }).assertSuccess();
    for (const key of keys)
      acknowledgeGrant(grantee, {
        [`IAM5[Resource::arn:<AWS::Partition>:s3:::${shownIn(role, name)}/${key}]`]:
          'The names of future objects are unknown. Workers have access only to the prefixes of their endpoint.',
      });
    grantee.addEnvironment('PAYLOADS_BUCKET', name);
  }
}
