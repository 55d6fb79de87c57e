/** Serves the console: a private bucket behind the distribution, and the function that fills it. */
import { Aws, CustomResource, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { type CfnDistribution, CfnOriginAccessControl } from 'aws-cdk-lib/aws-cloudfront';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption, CfnBucket, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { acknowledge } from '../constructs/acknowledge.ts';
import { ServiceFunction, serviceTimeoutOf } from '../constructs/function.ts';
import { explain } from '../constructs/reasons.ts';
import { pageFunction } from '../front-door/viewer-functions.ts';
import { deploymentOf } from '../settings/settings.ts';
import { signInHost } from '../users/sign-in.ts';
import { consoleBuildFor } from './build.ts';
import type { ConsoleSettings } from './console-setting.ts';
import { responseHeaders } from './headers.ts';

/** The managed policy of CloudFront without a cache. */
export const CACHING_DISABLED = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';

/** Folder in the bucket, and path on the distribution. */
const FOLDER = 'console';

/** The list of files of earlier builds, which aws/console/bucket.ts maintains outside of the served folder. */
const REPLACED = 'replaced.json';

const ORIGIN = 'console';

/** The configuration that the page loads first. */
export interface ConsoleConfig {
  /** Issuer of the tokens. */
  readonly issuer: string;
  /** Base address of the sign-in pages. */
  readonly signIn: string;
  /** Id of the console's client. */
  readonly client: string;
}

export class Hosting extends Construct {
  /** Path of the console on the distribution. */
  readonly path = `/${FOLDER}/`;
  readonly origin: CfnDistribution.OriginProperty;
  readonly behaviors: readonly CfnDistribution.CacheBehaviorProperty[];
  readonly #bucket: Bucket;

  constructor(scope: Construct, id: string, { allow }: ConsoleSettings) {
    super(scope, id);
    this.#bucket = new Bucket(this, 'Bucket', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      // A deployment can store all files again, so the bucket is not retained. The function below empties the bucket
      // before it is deleted.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    acknowledge(this.#bucket, {
      S1: 'The bucket contains the files of a web page, which are also in this repository.',
    });
    const access = new CfnOriginAccessControl(this, 'Access', {
      originAccessControlConfig: {
        // The name must be unique in the account, across all Regions.
        name: `${deploymentOf(this)}-${Aws.REGION}-Console`,
        originAccessControlOriginType: 's3',
        signingBehavior: 'always',
        signingProtocol: 'sigv4',
      },
    });
    this.origin = {
      id: ORIGIN,
      domainName: this.#bucket.bucketRegionalDomainName,
      originAccessControlId: access.attrId,
      s3OriginConfig: { originAccessIdentity: '' },
    };
    const open = pageFunction(this, allow);
    const headers = responseHeaders(this, 'Headers', signInHost(this));
    this.behaviors = [`/${FOLDER}`, `/${FOLDER}/*`].map((pathPattern) => ({
      pathPattern,
      targetOriginId: ORIGIN,
      allowedMethods: ['GET', 'HEAD'],
      cachedMethods: ['GET', 'HEAD'],
      cachePolicyId: CACHING_DISABLED,
      responseHeadersPolicyId: headers.attrId,
      // Users type addresses without https.
      viewerProtocolPolicy: 'redirect-to-https',
      // The files are stored compressed.
      compress: false,
      functionAssociations: [{ eventType: 'viewer-request', functionArn: open.attrFunctionArn }],
    }));
  }

  /** Lets only this distribution read the files. */
  grantRead(distributionId: string): void {
    const { partition, account } = Stack.of(this);
    this.#bucket.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudfront.amazonaws.com')],
        actions: ['s3:GetObject'],
        resources: [this.#bucket.arnForObjects(`${FOLDER}/*`)],
        conditions: {
          StringEquals: { 'AWS:SourceArn': `arn:${partition}:cloudfront::${account}:distribution/${distributionId}` },
        },
      }),
    );
  }

  /** Fills the bucket with the built console and its configuration, at each deployment that changes one of them. */
  publish(config: ConsoleConfig): void {
    const { sources, addFiles } = consoleBuildFor(this);
    const upload = new ServiceFunction(this, 'Upload', {
      entry: 'lambda/console/upload.ts',
      description: 'Custom resource: stores the files of the console in their bucket, and removes old files.',
      timeout: Duration.minutes(1),
      addFiles,
    });
    const bucket = this.#bucket;
    upload.addEnvironment('CONSOLE_BUCKET', bucket.bucketName);
    const pages = bucket.arnForObjects(`${FOLDER}/*`);
    const replaced = bucket.arnForObjects(REPLACED);
    const grant = (action: string, ...resources: string[]) =>
      upload.addToRolePolicy(new PolicyStatement({ actions: [`s3:${action}`], resources }));
    grant('ListBucket', bucket.bucketArn);
    grant('GetObject', replaced);
    grant('PutObject', pages, replaced);
    grant('DeleteObject', pages, replaced);
    const files = 'files of the console';
    const list = 'its list of replaced files';
    explain(upload, 's3', ['ListBucket'], 'bucket of the console', 'Lists the files, to find those of earlier builds.');
    explain(
      upload,
      's3',
      ['PutObject'],
      [files, list],
      'Stores the files of a build, and the times at which they replaced earlier files.',
    );
    explain(upload, 's3', ['GetObject'], list, 'Reads the times at which files were replaced.');
    explain(upload, 's3', ['DeleteObject'], [files, list], {
      reason: 'Removes files that a build replaced 30 days ago, or all files when the console is switched off.',
      unused: 'Only 30 days after another deployment, or without the console.',
    });
    const { defaultChild } = bucket.node;
    const bucketId = defaultChild instanceof CfnBucket ? Stack.of(this).getLogicalId(defaultChild) : '';
    acknowledge(upload.identity, {
      [`IAM5[Resource::<${bucketId}.Arn>/${FOLDER}/*]`]: 'The names of files of future builds are unknown.',
    });
    const published = new CustomResource(this, 'Files', {
      resourceType: 'Custom::ConsoleFiles',
      serviceToken: upload.functionArn,
      serviceTimeout: serviceTimeoutOf(upload),
      properties: { sources, config },
    });
    // The custom resource empties the bucket when the resource is deleted, so the permissions of its function must be
    // deleted later.
    published.node.addDependency(bucket, upload.identity);
  }
}
