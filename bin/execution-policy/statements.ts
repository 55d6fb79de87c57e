/**
 * The statements of the execution policy: which actions each of them allows, on what. An action is in the first statement
 * that takes it.
 */

type OneOrMore = string | readonly string[];

export interface Scope {
  /** Id of the statement. */
  readonly sid: string;
  /** The file below `docs/execution-policy`, without `.json`. */
  readonly file: string;
  /** Patterns of the actions that the statement takes, in which `*` matches any characters. */
  readonly takes: readonly string[];
  /**
   * Resource types whose handlers' actions the statement takes.
   * @default - all types
   */
  readonly types?: readonly string[];
  /**
   * Patterns of ARNs.
   * @default - every resource, because AWS gives unpredictable ids or accepts no name in the call
   */
  readonly on?: OneOrMore;
  readonly condition?: Readonly<Record<string, Readonly<Record<string, OneOrMore>>>>;
  /** Actions that no handler declares. */
  readonly also?: readonly string[];
  /** Patterns that replace the actions that they match. They allow no change. */
  readonly reads?: readonly string[];
}

const OUR_ROLES = ['arn:aws:iam::*:role/gpu-endpoints-*', 'arn:aws:iam::*:role/gpu-endpoints/*'];

const interfaces = (...resources: readonly string[]) =>
  resources.flatMap((name) => [`arn:aws:apigateway:*::/${name}`, `arn:aws:apigateway:*::/${name}/*`]);

export const scopes: readonly Scope[] = [
  {
    sid: 'RolesForTheServicesOfTheStacks',
    file: 'data',
    takes: ['iam:PassRole'],
    on: OUR_ROLES,
    condition: {
      StringEquals: {
        'iam:PassedToService': [
          'ec2.amazonaws.com',
          'ecs-tasks.amazonaws.com',
          'lambda.amazonaws.com',
          'pipes.amazonaws.com',
          'states.amazonaws.com',
        ],
      },
    },
  },
  {
    sid: 'RolesThatAwsMakes',
    file: 'data',
    takes: ['iam:CreateServiceLinkedRole'],
    on: 'arn:aws:iam::*:role/aws-service-role/*',
    condition: {
      StringEquals: {
        'iam:AWSServiceName': [
          'autoscaling.amazonaws.com',
          'ecr.amazonaws.com',
          'ecs.application-autoscaling.amazonaws.com',
          'ecs.amazonaws.com',
          'elasticfilesystem.amazonaws.com',
          'elasticloadbalancing.amazonaws.com',
          'ops.apigateway.amazonaws.com',
          'pullthroughcache.ecr.amazonaws.com',
          'spot.amazonaws.com',
          'vpcorigin.cloudfront.amazonaws.com',
        ],
      },
    },
  },
  {
    sid: 'InstanceProfiles',
    file: 'data',
    takes: ['iam:*'],
    types: ['AWS::IAM::InstanceProfile'],
    on: 'arn:aws:iam::*:instance-profile/gpu-endpoints-*',
  },
  {
    sid: 'RolesWithinTheBoundary',
    file: 'data',
    takes: ['iam:CreateRole', 'iam:DeleteRolePolicy', 'iam:PutRolePermissionsBoundary', 'iam:PutRolePolicy'],
    on: OUR_ROLES,
    condition: { StringLike: { 'iam:PermissionsBoundary': 'arn:aws:iam::*:policy/gpu-endpoints-boundary' } },
  },
  { sid: 'RolesOfTheStacks', file: 'data', takes: ['iam:*'], on: OUR_ROLES },
  { sid: 'Tables', file: 'data', takes: ['dynamodb:*'], on: 'arn:aws:dynamodb:*:*:table/gpu-endpoints-*' },
  { sid: 'CodeOfFunctions', file: 'data', takes: ['s3:GetObject'], on: 'arn:aws:s3:::cdk-*-assets-*' },
  { sid: 'Buckets', file: 'data', takes: ['s3:*'], on: 'arn:aws:s3:::gpu-endpoints-*' },
  { sid: 'Queues', file: 'data', takes: ['sqs:*'], on: 'arn:aws:sqs:*:*:gpu-endpoints-*' },
  { sid: 'EventSources', file: 'data', takes: ['lambda:*'], types: ['AWS::Lambda::EventSourceMapping'] },
  {
    sid: 'Functions',
    file: 'data',
    takes: ['lambda:*'],
    on: 'arn:aws:lambda:*:*:function:gpu-endpoints-*',
    // CloudFormation calls the functions of custom resources.
    also: ['lambda:InvokeFunction'],
  },
  {
    sid: 'VpcLinks',
    file: 'front-door',
    takes: ['apigateway:*'],
    types: ['AWS::ApiGatewayV2::VpcLink'],
    on: interfaces('vpclinks'),
  },
  {
    sid: 'Interfaces',
    file: 'data',
    takes: ['apigateway:*'],
    on: [...interfaces('apikeys', 'restapis', 'usageplans'), 'arn:aws:apigateway:*::/tags/*'],
  },
  {
    sid: 'ParametersOfTemplates',
    file: 'data',
    takes: ['ssm:GetParameters'],
    on: [
      'arn:aws:ssm:*:*:parameter/cdk-bootstrap/*',
      'arn:aws:ssm:*:*:parameter/gpu-endpoints*',
      'arn:aws:ssm:*::parameter/aws/service/ecs/*',
    ],
  },
  { sid: 'ValuesThatStacksShare', file: 'data', takes: ['ssm:*'], on: 'arn:aws:ssm:*:*:parameter/gpu-endpoints*' },
  {
    sid: 'Network',
    file: 'services',
    takes: ['ec2:*'],
    reads: ['ec2:Describe*'],
    // Amazon EFS creates the network interface of a mount target as its caller.
    also: ['ec2:CreateNetworkInterface', 'ec2:DeleteNetworkInterface', 'ec2:ModifyNetworkInterfaceAttribute'],
  },
  {
    sid: 'LoadBalancers',
    file: 'front-door',
    takes: ['elasticloadbalancing:*'],
    reads: ['elasticloadbalancing:Describe*'],
  },
  {
    sid: 'CachedRepositories',
    file: 'front-door',
    takes: ['ecr:CreateRepository', 'ecr:PutLifecyclePolicy'],
    on: 'arn:aws:ecr:*:*:repository/gpu-endpoints*',
  },
  { sid: 'ImageCaches', file: 'front-door', takes: ['ecr:*'] },
  {
    sid: 'LoginsOfImageCaches',
    file: 'front-door',
    takes: ['secretsmanager:GetSecretValue'],
    on: 'arn:aws:secretsmanager:*:*:secret:ecr-pullthroughcache/*',
  },
  { sid: 'Scaling', file: 'front-door', takes: ['application-autoscaling:*'] },
  { sid: 'Distributions', file: 'front-door', takes: ['cloudfront:*'] },
  { sid: 'Users', file: 'front-door', takes: ['cognito-idp:*'] },
  {
    sid: 'Services',
    file: 'services',
    takes: [
      ...['autoscaling:*', 'cloudwatch:*', 'ecs:*', 'elasticfilesystem:*', 'events:*', 'kms:*', 'logs:*', 'pipes:*'],
      ...['states:*', 'wafv2:*'],
    ],
    reads: ['autoscaling:Describe*', 'ecs:Describe*', 'elasticfilesystem:Describe*'],
  },
];
