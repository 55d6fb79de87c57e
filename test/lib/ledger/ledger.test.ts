import { describe, expect, it } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import { permissionsOf, roleNamed } from '../permissions.ts';
import { stackOf, synthesize } from '../synthesis.ts';

const { template } = stackOf(synthesize(), 'Platform');

describe('the ledger', () => {
  it('reads the jobs stream from its start in batches of a second, and sends failures to its dead-letter queue', () => {
    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      EventSourceArn: { Ref: 'StorageJobsStream' },
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 1_000,
      MaximumBatchingWindowInSeconds: 1,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: 3,
      MaximumRecordAgeInSeconds: 6 * 3600,
      DestinationConfig: {
        OnFailure: { Destination: { 'Fn::GetAtt': [Match.stringLikeRegexp('LedgerDeadLetters'), 'Arn'] } },
      },
    });
  });

  it('can set the number of workers of the services of the cluster', () => {
    const permissions = permissionsOf(template, roleNamed(template, 'LedgerRecord'));
    const [scaling] = permissions.filter(({ actions }) => actions[0]?.startsWith('ecs:'));
    expect(scaling?.actions).toEqual(['ecs:UpdateService']);
    expect(scaling?.on).toContain(':service/');
    expect(scaling?.on).toContain(':service/gpu-endpoints-Fleet-*/*');
  });
});

describe('the rollout', () => {
  it('reads only templates from the start of their stream, and sends failures to its dead-letter queue', () => {
    template.resourceCountIs('AWS::Lambda::EventSourceMapping', 2);
    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      EventSourceArn: { Ref: 'StorageTemplatesStream' },
      FunctionName: { Ref: Match.stringLikeRegexp('ReleasesRollout') },
      FilterCriteria: { Filters: [{ Pattern: '{"dynamodb":{"Keys":{"collection":{"S":["templates"]}}}}' }] },
      StartingPosition: 'TRIM_HORIZON',
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: 3,
      MaximumRecordAgeInSeconds: 6 * 3600,
      DestinationConfig: {
        OnFailure: { Destination: { 'Fn::GetAtt': [Match.stringLikeRegexp('ReleasesRolloutDeadLetters'), 'Arn'] } },
      },
    });
  });
});

describe('the sweeper', () => {
  it('is called every minute', () => {
    template.hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: 'rate(1 minute)',
      State: 'ENABLED',
      Targets: [Match.objectLike({ Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp('SweeperSweep'), 'Arn'] } })],
    });
  });
});

describe('the fleet', () => {
  it('receives the events of tasks of the cluster only, except for the status PROVISIONING', () => {
    template.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: {
        source: ['aws.ecs'],
        'detail-type': ['ECS Task State Change'],
        detail: {
          lastStatus: [{ 'anything-but': ['PROVISIONING'] }],
          clusterArn: [{ prefix: { 'Fn::Join': ['', Match.arrayWith([':cluster/gpu-endpoints-Fleet-'])] } }],
        },
      },
      Targets: [Match.objectLike({ Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp('Observe'), 'Arn'] } })],
    });
  });

  it('receives the launches of instances of its pools, and their registrations with the cluster, without their tasks', () => {
    const Targets = [Match.objectLike({ Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp('Observe'), 'Arn'] } })];
    template.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: {
        source: ['aws.autoscaling'],
        'detail-type': ['EC2 Instance Launch Successful'],
        detail: { AutoScalingGroupName: [{ prefix: 'gpu-endpoints-Fleet-Pool' }] },
      },
      Targets,
    });
    template.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: {
        source: ['aws.ecs'],
        'detail-type': ['ECS Container Instance State Change'],
        detail: {
          clusterArn: [{ prefix: { 'Fn::Join': ['', Match.arrayWith([':cluster/gpu-endpoints-Fleet-'])] } }],
          status: ['ACTIVE'],
          pendingTasksCount: [0],
          runningTasksCount: [0],
        },
      },
      Targets,
    });
  });

  const launches = [Match.objectLike({ Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp('LaunchesLaunch'), 'Arn'] } })];

  it('lists the tasks of its cluster by a condition, because ECS authorizes the call on no container instance', () => {
    const cluster = { 'Fn::Join': ['', Match.arrayWith([':cluster/gpu-endpoints-Fleet-*'])] };
    const listing = { Action: 'ecs:ListTasks', Resource: '*', Condition: { ArnLike: { 'ecs:cluster': cluster } } };
    template.hasResourceProperties('AWS::IAM::Role', {
      Policies: [{ PolicyDocument: { Statement: Match.arrayWith([Match.objectLike(listing)]) } }],
    });
  });

  it('receives the events of instances that its pools launched or could not launch, and of no other instances', () => {
    template.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: {
        source: ['aws.autoscaling'],
        'detail-type': ['EC2 Instance Launch Successful', 'EC2 Instance Launch Unsuccessful'],
        detail: { AutoScalingGroupName: [{ prefix: 'gpu-endpoints-Fleet-Pool' }] },
      },
      Targets: launches,
    });
  });

  it('launches instances when a task of a pool waits for a place, and looks at pools every minute', () => {
    template.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: {
        source: ['aws.ecs'],
        'detail-type': ['ECS Task State Change'],
        detail: {
          lastStatus: ['PROVISIONING'],
          desiredStatus: ['RUNNING'],
          capacityProviderName: [{ 'anything-but': ['FARGATE', 'FARGATE_SPOT'] }],
          clusterArn: [{ prefix: { 'Fn::Join': ['', Match.arrayWith([':cluster/gpu-endpoints-Fleet-'])] } }],
        },
      },
      Targets: launches,
    });
    template.hasResourceProperties('AWS::Events::Rule', { ScheduleExpression: 'rate(1 minute)', Targets: launches });
  });

  it.each([
    ['ECS Service Action', 'SERVICE_TASK_PLACEMENT_FAILURE'],
    ['ECS Deployment State Change', 'SERVICE_DEPLOYMENT_IN_PROGRESS'],
    ['ECS Deployment State Change', 'SERVICE_DEPLOYMENT_COMPLETED'],
  ])('receives events of %s, such as %s, only of the services of the cluster', (kind, eventName) => {
    template.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: {
        source: ['aws.ecs'],
        'detail-type': [kind],
        resources: [{ prefix: Match.objectLike({}) }],
        detail: { eventName: Match.arrayWith([eventName]) },
      },
      Targets: [Match.objectLike({ Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp('Observe'), 'Arn'] } })],
    });
  });
});
