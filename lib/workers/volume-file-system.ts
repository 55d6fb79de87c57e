/** The file system of all volumes: each endpoint can access only its own folder. */
import { RemovalPolicy } from 'aws-cdk-lib';
import { CfnFileSystem, LifecyclePolicy, OutOfInfrequentAccessPolicy } from 'aws-cdk-lib/aws-efs';
import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { SharedValue } from '../constructs/shared-value.ts';

/** All actions on files that a policy can allow or deny. */
const actions = ['ClientMount', 'ClientWrite', 'ClientRootAccess'].map((action) => `elasticfilesystem:${action}`);

const refused = (sid: string, conditions: Record<string, Record<string, string>>) =>
  new PolicyStatement({
    sid,
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions,
    resources: ['*'],
    conditions,
  });

/**
 * Returns the policy of the file system. It allows nothing, so a client needs a role with permission to mount. No
 * role can override the denials of the policy.
 */
function policy(): PolicyDocument {
  return new PolicyDocument({
    statements: [
      refused('OnlyEncrypted', { Bool: { 'aws:SecureTransport': 'false' } }),
      refused('OnlyByAccessPoint', { Null: { 'elasticfilesystem:AccessPointArn': 'true' } }),
    ],
  });
}

/**
 * The file system, without its mount targets, which belong to the network of the workers
 * (`lib/network/mount-targets.ts`).
 */
export class VolumeFileSystem extends Construct {
  /** Id of the file system. */
  readonly fileSystem: SharedValue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    // CDK's own construct would create the mount targets here, and so tie the files to a network. AWS charges for
    // stored and moved data; an empty file system is free, and storing a file that is not read for a month costs a
    // twelfth. Backups are off: models and caches can be downloaded again, and a backup of each GB costs as much as
    // storing it a second time.
    const fileSystem = new CfnFileSystem(this, 'FileSystem', {
      encrypted: true,
      performanceMode: 'generalPurpose',
      throughputMode: 'elastic',
      lifecyclePolicies: [
        { transitionToIa: LifecyclePolicy.AFTER_30_DAYS },
        { transitionToPrimaryStorageClass: OutOfInfrequentAccessPolicy.AFTER_1_ACCESS },
      ],
      fileSystemPolicy: policy(),
    });
    fileSystem.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    this.fileSystem = new SharedValue(this, 'FileSystemId', fileSystem.attrFileSystemId);
  }
}
