/** Files of workers that stay: one file system for all endpoints, of which each sees its own folder. */
import { RemovalPolicy } from 'aws-cdk-lib';
import { type IVpc, Port, SecurityGroup, SubnetType } from 'aws-cdk-lib/aws-ec2';
import {
  FileSystem,
  type IFileSystem,
  LifecyclePolicy,
  OutOfInfrequentAccessPolicy,
  PerformanceMode,
  ThroughputMode,
} from 'aws-cdk-lib/aws-efs';
import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';

export interface VolumesProps {
  readonly vpc: IVpc;
}

/** All that a client can do with files. */
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
 * The file system, and who can reach it. It has a policy that allows nothing, so a client needs a role that may mount; and
 * what it refuses, no role can allow.
 */
function policy(): PolicyDocument {
  return new PolicyDocument({
    statements: [
      refused('OnlyEncrypted', { Bool: { 'aws:SecureTransport': 'false' } }),
      refused('OnlyByAccessPoint', { Null: { 'elasticfilesystem:AccessPointArn': 'true' } }),
    ],
  });
}

export class Volumes extends Construct {
  readonly fileSystem: IFileSystem;
  /** The group of all workers, which nobody can reach. Theirs is the only one that reaches the file system. */
  readonly workers: SecurityGroup;

  constructor(scope: Construct, id: string, { vpc }: VolumesProps) {
    super(scope, id);
    this.workers = new SecurityGroup(this, 'Workers', { vpc, description: 'Workers: nothing comes in.' });

    // Where a worker sees it there must be a way to it, one in each zone. It costs what is stored and moved, and nothing
    // while it is empty; what nobody reads for a month costs a tenth.
    this.fileSystem = new FileSystem(this, 'FileSystem', {
      vpc,
      vpcSubnets: { subnetType: SubnetType.PRIVATE_WITH_EGRESS, onePerAz: true },
      securityGroup: new SecurityGroup(this, 'FileSystemGroup', {
        vpc,
        description: 'Volumes: workers come in by NFS.',
        allowAllOutbound: false,
      }),
      encrypted: true,
      performanceMode: PerformanceMode.GENERAL_PURPOSE,
      throughputMode: ThroughputMode.ELASTIC,
      lifecyclePolicy: LifecyclePolicy.AFTER_30_DAYS,
      outOfInfrequentAccessPolicy: OutOfInfrequentAccessPolicy.AFTER_1_ACCESS,
      // Models and caches can be fetched again, and a backup of all of them costs as much a GB as storing them once more.
      enableAutomaticBackups: false,
      fileSystemPolicy: policy(),
      // CDK's way to refuse them is a statement that allows more to everybody who may mount.
      allowAnonymousAccess: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    this.fileSystem.connections.allowFrom(this.workers, Port.tcp(FileSystem.DEFAULT_PORT), 'NFS of workers');
  }
}
