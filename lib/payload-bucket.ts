import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { chunkPrefixesOf, objectDays, objectPrefixesOf, resultPrefixOf } from '../core/jobs/payload.ts';
import { acknowledge, acknowledgeGrant } from './checks.ts';
import type { Client } from './client.ts';
import { importName } from './import-name.ts';

/** Inputs, outputs, errors and chunks too large for a table. Objects say by the first part of their key how long they are kept. */
export class PayloadBucket extends Construct {
  readonly #bucket: Bucket;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.#bucket = new Bucket(this, 'Bucket', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.RETAIN,
      lifecycleRules: objectDays.map((days) => ({ prefix: `${days}/`, expiration: Duration.days(days) })),
    });
    acknowledge(this.#bucket, {
      S1: 'Objects are read and written by the functions and workers of this service alone, whose calls CloudTrail can log.',
    });
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
    Grant.addToPrincipal({
      grantee: client,
      actions: actions.map((action) => `s3:${action}`),
      resourceArns: keys.map((key) => this.#bucket.arnForObjects(key)),
    }).assertSuccess();
    const bucketArn = importName(this.#bucket, this.#bucket.bucketArn);
    for (const key of keys)
      acknowledgeGrant(client, {
        [`IAM5[Resource::${bucketArn}/${key}]`]:
          'Objects of jobs to come have no names yet; a prefix names their endpoint.',
      });
    client.addEnvironment('PAYLOADS_BUCKET', this.#bucket.bucketName);
  }
}
