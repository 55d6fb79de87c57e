/** The file system of all volumes: each endpoint sees its own folder. */
import { RemovalPolicy } from 'aws-cdk-lib';
import { CfnFileSystem, LifecyclePolicy, OutOfInfrequentAccessPolicy } from 'aws-cdk-lib/aws-efs';
import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { SharedValue } from '../constructs/shared-value.ts';

/** Every action of a client on files. */
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
 * Returns the policy of the file system. It allows nothing, so a client needs a role that may mount; and what it
 * denies, no role can allow.
 */
function policy(): PolicyDocument {
  return new PolicyDocument({
    statements: [
      refused('OnlyEncrypted', { Bool: { 'aws:SecureTransport': 'false' } }),
      refused('OnlyByAccessPoint', { Null: { 'elasticfilesystem:AccessPointArn': 'true' } }),
    ],
  });
}

/** The file system alone: its mount targets belong to the network of the workers (`lib/network/mount-targets.ts`). */
export class VolumeFileSystem extends Construct {
  /** Its id. */
  readonly fileSystem: SharedValue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    // CDK's own construct would make its mount targets here, and so tie the files to a network. It costs what is stored
    // and moved, and nothing while it is empty; a file that is not read for a month costs a twelfth. Backups are off:
    // models and caches can be fetched again, and a backup of all of them costs as much a GB as storing them once more.
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
    fileSystem.applyRemovalPolicy(RemovalPolicy.RETAIN);
    this.fileSystem = new SharedValue(this, 'FileSystemId', fileSystem.attrFileSystemId);
  }
}
