import { describe, expect, it } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import { VOLUME_MEASURE } from '../../../core/limits.ts';
import { volumeFields } from '../../../core/workers/volume-metrics.ts';
import { declare, stackOf, synthesize } from '../synthesis.ts';

const stacks = synthesize(declare('echo'), declare('echo-there', { volumeAlsoAt: '/runpod-volume' }));
const { template: storage } = stackOf(stacks, 'Storage');
const { template: fleet } = stackOf(stacks, 'Fleet');
const { template: endpoint } = stackOf(stacks, 'Endpoint-echo');
const { template: elsewhere } = stackOf(stacks, 'Endpoint-echo-there');

describe('the file system', () => {
  it('is encrypted and elastic, outlives its stack, and moves unread files to a cheaper storage class', () => {
    storage.hasResource('AWS::EFS::FileSystem', {
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        Encrypted: true,
        ThroughputMode: 'elastic',
        LifecyclePolicies: [{ TransitionToIA: 'AFTER_30_DAYS' }, { TransitionToPrimaryStorageClass: 'AFTER_1_ACCESS' }],
        BackupPolicy: Match.absent(),
      },
    });
  });

  it('has a policy that allows no access, and denies clients without TLS or without an access point', () => {
    const [fileSystem] = Object.values(storage.findResources('AWS::EFS::FileSystem'));
    const refused = (Condition: object) => ({
      Sid: expect.any(String),
      Effect: 'Deny',
      Principal: { AWS: '*' },
      Action: ['ClientMount', 'ClientRootAccess', 'ClientWrite'].map((action) => `elasticfilesystem:${action}`),
      Resource: '*',
      Condition,
    });
    expect(fileSystem?.Properties.FileSystemPolicy.Statement).toEqual([
      refused({ Bool: { 'aws:SecureTransport': 'false' } }),
      refused({ Null: { 'elasticfilesystem:AccessPointArn': 'true' } }),
    ]);
  });

  it('admits NFS from workers', () => {
    fleet.resourceCountIs('AWS::EC2::SecurityGroupIngress', 1);
    fleet.hasResourceProperties('AWS::EC2::SecurityGroupIngress', {
      GroupId: { 'Fn::GetAtt': [Match.stringLikeRegexp('^VolumesGroup'), 'GroupId'] },
      SourceSecurityGroupId: { 'Fn::GetAtt': [Match.stringLikeRegexp('^Workers'), 'GroupId'] },
      FromPort: 2049,
      ToPort: 2049,
    });
    fleet.allResourcesProperties('AWS::EFS::MountTarget', {
      SecurityGroups: [{ 'Fn::GetAtt': [Match.stringLikeRegexp('^VolumesGroup'), 'GroupId'] }],
    });
  });

  it('exists before any endpoint, and a further endpoint does not change it', () => {
    expect(stackOf(synthesize(), 'Fleet').text).toBe(stackOf(stacks, 'Fleet').text);
  });
});

describe('the volume of an endpoint', () => {
  it('is a separate folder, in which all writers have the same user id', () => {
    endpoint.hasResourceProperties('AWS::EFS::AccessPoint', {
      PosixUser: { Uid: '1000', Gid: '1000' },
      RootDirectory: {
        Path: '/endpoints/echo',
        CreationInfo: { OwnerUid: '1000', OwnerGid: '1000', Permissions: '0770' },
      },
    });
  });

  it('is in the blueprint, with TLS and IAM authorization, and is mounted in no container of the blueprint', () => {
    endpoint.hasResourceProperties('AWS::ECS::TaskDefinition', {
      Volumes: [
        {
          Name: 'volume',
          EFSVolumeConfiguration: {
            FilesystemId: { Ref: 'StorageVolumesFileSystemId' },
            TransitEncryption: 'ENABLED',
            AuthorizationConfig: {
              AccessPointId: { 'Fn::GetAtt': [Match.stringLikeRegexp('^WorkersVolumeAccessPoint'), 'AccessPointId'] },
              IAM: 'ENABLED',
            },
          },
        },
      ],
      ContainerDefinitions: [
        Match.objectLike({ Name: 'agent', MountPoints: Match.absent() }),
        Match.objectLike({ Name: 'worker', MountPoints: Match.absent() }),
      ],
    });
  });

  it('is also mounted in the container `worker`, at the path that the endpoint file names', () => {
    elsewhere.hasResourceProperties('AWS::ECS::TaskDefinition', {
      ContainerDefinitions: [
        Match.objectLike({ Name: 'agent', MountPoints: Match.absent() }),
        Match.objectLike({
          Name: 'worker',
          MountPoints: [{ SourceVolume: 'volume', ContainerPath: '/runpod-volume', ReadOnly: false }],
        }),
      ],
    });
  });

  it('has an alarm for the metric that agents log, at more than 100 % of its size', () => {
    const nothing = { bytes: 0, entries: 0, unreadable: 0, complete: true };
    const logged = volumeFields('echo', nothing, { gb: 20, deployment: 'gpu-endpoints' }, 0);
    const metric = 'VolumeUsedPercent';
    expect(logged).toMatchObject({
      _aws: {
        CloudWatchMetrics: [
          { Namespace: 'gpu-endpoints', Dimensions: [['Endpoint']], Metrics: [{}, { Name: metric, Unit: 'Percent' }] },
        ],
      },
      Endpoint: 'echo',
      [metric]: 0,
    });
    endpoint.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Namespace: 'gpu-endpoints',
      MetricName: metric,
      Dimensions: [{ Name: 'Endpoint', Value: 'echo' }],
      Statistic: 'Maximum',
      ComparisonOperator: 'GreaterThanThreshold',
      Threshold: 100,
      Period: VOLUME_MEASURE.every / 1_000,
      TreatMissingData: 'ignore',
    });
  });
});
