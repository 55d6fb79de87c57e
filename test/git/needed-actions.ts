/**
 * The calls by which CloudFormation creates, changes and removes a resource, by type. A policy must allow them.
 */

/** Returns `prefix:Verb` for each verb. */
const of = (service: string, ...verbs: readonly string[]) => verbs.map((verb) => `${service}:${verb}`);

const interfaces = of('apigateway', 'DELETE', 'GET', 'PATCH', 'POST', 'PUT');
const rules = (kind: string) =>
  of('ec2', 'DescribeSecurityGroups', `AuthorizeSecurityGroup${kind}`, `RevokeSecurityGroup${kind}`);

export const needed: Readonly<Record<string, readonly string[]>> = {
  'AWS::ApiGateway::ApiKey': interfaces,
  'AWS::ApiGateway::Authorizer': interfaces,
  'AWS::ApiGateway::Deployment': interfaces,
  'AWS::ApiGateway::GatewayResponse': interfaces,
  'AWS::ApiGateway::Method': interfaces,
  'AWS::ApiGateway::Resource': interfaces,
  'AWS::ApiGateway::RestApi': interfaces,
  'AWS::ApiGateway::Stage': interfaces,
  'AWS::ApiGateway::UsagePlan': interfaces,
  'AWS::ApiGateway::UsagePlanKey': interfaces,
  'AWS::ApiGatewayV2::VpcLink': [...interfaces, 'iam:CreateServiceLinkedRole'],
  'AWS::ApplicationAutoScaling::ScalableTarget': [
    ...of('application-autoscaling', 'DeregisterScalableTarget', 'DescribeScalableTargets', 'RegisterScalableTarget'),
    'iam:CreateServiceLinkedRole',
  ],
  'AWS::ApplicationAutoScaling::ScalingPolicy': of(
    'application-autoscaling',
    ...['DeleteScalingPolicy', 'DescribeScalingPolicies', 'PutScalingPolicy'],
  ),
  'AWS::AutoScaling::AutoScalingGroup': [
    ...of('autoscaling', 'CreateAutoScalingGroup', 'CreateOrUpdateTags', 'DeleteAutoScalingGroup'),
    ...of('autoscaling', 'DescribeAutoScalingGroups', 'DescribeScalingActivities', 'UpdateAutoScalingGroup'),
    'ec2:RunInstances',
    'iam:CreateServiceLinkedRole',
    'iam:PassRole',
  ],
  'AWS::AutoScaling::WarmPool': of('autoscaling', 'DeleteWarmPool', 'DescribeWarmPool', 'PutWarmPool'),
  'AWS::CloudFront::Distribution': of(
    'cloudfront',
    ...['CreateDistribution', 'DeleteDistribution', 'GetDistribution', 'GetDistributionConfig', 'TagResource'],
    'UpdateDistribution',
  ),
  'AWS::CloudFront::Function': of(
    'cloudfront',
    ...['CreateFunction', 'DeleteFunction', 'DescribeFunction', 'GetFunction', 'PublishFunction', 'UpdateFunction'],
  ),
  'AWS::CloudFront::OriginAccessControl': of(
    'cloudfront',
    ...['CreateOriginAccessControl', 'DeleteOriginAccessControl', 'GetOriginAccessControl'],
    'UpdateOriginAccessControl',
  ),
  'AWS::CloudFront::ResponseHeadersPolicy': of(
    'cloudfront',
    ...['CreateResponseHeadersPolicy', 'DeleteResponseHeadersPolicy', 'GetResponseHeadersPolicy'],
    'UpdateResponseHeadersPolicy',
  ),
  'AWS::CloudFront::VpcOrigin': [
    ...of('cloudfront', 'CreateVpcOrigin', 'DeleteVpcOrigin', 'GetVpcOrigin', 'TagResource', 'UpdateVpcOrigin'),
    ...of('ec2', 'DescribeInternetGateways', 'DescribeSecurityGroups', 'DescribeSubnets'),
    ...of('elasticloadbalancing', 'DescribeListeners', 'DescribeLoadBalancers'),
    'iam:CreateServiceLinkedRole',
  ],
  'AWS::CloudWatch::Alarm': of('cloudwatch', 'DeleteAlarms', 'DescribeAlarms', 'PutMetricAlarm', 'TagResource'),
  'AWS::Cognito::ManagedLoginBranding': of(
    'cognito-idp',
    ...['CreateManagedLoginBranding', 'DeleteManagedLoginBranding', 'DescribeManagedLoginBranding'],
    ...['DescribeManagedLoginBrandingByClient', 'UpdateManagedLoginBranding'],
  ),
  'AWS::Cognito::UserPool': of(
    'cognito-idp',
    ...['CreateUserPool', 'DeleteUserPool', 'DescribeUserPool', 'GetUserPoolMfaConfig', 'ListTagsForResource'],
    ...['SetUserPoolMfaConfig', 'TagResource', 'UntagResource', 'UpdateUserPool'],
  ),
  'AWS::Cognito::UserPoolClient': of(
    'cognito-idp',
    ...['CreateUserPoolClient', 'DeleteUserPoolClient', 'DescribeUserPoolClient', 'UpdateUserPoolClient'],
  ),
  'AWS::Cognito::UserPoolDomain': of(
    'cognito-idp',
    ...['CreateUserPoolDomain', 'DeleteUserPoolDomain', 'DescribeUserPoolDomain', 'UpdateUserPoolDomain'],
  ),
  'AWS::Cognito::UserPoolGroup': of('cognito-idp', 'CreateGroup', 'DeleteGroup', 'GetGroup', 'UpdateGroup'),
  'AWS::Cognito::UserPoolIdentityProvider': of(
    'cognito-idp',
    ...['CreateIdentityProvider', 'DeleteIdentityProvider', 'DescribeIdentityProvider', 'UpdateIdentityProvider'],
  ),
  'AWS::DynamoDB::Table': of(
    'dynamodb',
    ...['CreateTable', 'DeleteTable', 'DescribeContinuousBackups', 'DescribeTable', 'TagResource'],
    ...['UpdateContinuousBackups', 'UpdateTable', 'UpdateTimeToLive'],
  ),
  'AWS::EC2::EIP': of('ec2', 'AllocateAddress', 'DescribeAddresses', 'ReleaseAddress'),
  'AWS::EC2::InternetGateway': of('ec2', 'CreateInternetGateway', 'CreateTags', 'DeleteInternetGateway'),
  'AWS::EC2::LaunchTemplate': of(
    'ec2',
    ...['CreateLaunchTemplate', 'CreateLaunchTemplateVersion', 'DeleteLaunchTemplate', 'DescribeLaunchTemplates'],
  ),
  'AWS::EC2::NatGateway': of('ec2', 'CreateNatGateway', 'DeleteNatGateway', 'DescribeNatGateways'),
  'AWS::EC2::Route': of('ec2', 'CreateRoute', 'DeleteRoute', 'DescribeRouteTables', 'ReplaceRoute'),
  'AWS::EC2::RouteTable': of('ec2', 'CreateRouteTable', 'DeleteRouteTable', 'DescribeRouteTables'),
  'AWS::EC2::SecurityGroup': [
    ...of('ec2', 'CreateSecurityGroup', 'DeleteSecurityGroup'),
    ...rules('Egress'),
    ...rules('Ingress'),
  ],
  'AWS::EC2::SecurityGroupEgress': rules('Egress'),
  'AWS::EC2::SecurityGroupIngress': rules('Ingress'),
  'AWS::EC2::Subnet': of('ec2', 'CreateSubnet', 'DeleteSubnet', 'DescribeSubnets', 'ModifySubnetAttribute'),
  'AWS::EC2::SubnetRouteTableAssociation': of('ec2', 'AssociateRouteTable', 'DisassociateRouteTable'),
  'AWS::EC2::VPC': of('ec2', 'CreateVpc', 'DeleteVpc', 'DescribeVpcs', 'ModifyVpcAttribute'),
  'AWS::EC2::VPCEndpoint': of('ec2', 'CreateVpcEndpoint', 'DeleteVpcEndpoints', 'ModifyVpcEndpoint'),
  'AWS::EC2::VPCGatewayAttachment': of('ec2', 'AttachInternetGateway', 'DetachInternetGateway'),
  'AWS::ECS::CapacityProvider': of('ecs', 'CreateCapacityProvider', 'DeleteCapacityProvider', 'UpdateCapacityProvider'),
  'AWS::ECS::Cluster': of('ecs', 'CreateCluster', 'DeleteCluster', 'DescribeClusters', 'UpdateCluster'),
  'AWS::ECS::ClusterCapacityProviderAssociations': of('ecs', 'DescribeClusters', 'PutClusterCapacityProviders'),
  'AWS::ECS::Service': of('ecs', 'CreateService', 'DeleteService', 'DescribeServices', 'TagResource', 'UpdateService'),
  'AWS::ECS::TaskDefinition': [
    ...of('ecs', 'DeregisterTaskDefinition', 'DescribeTaskDefinition', 'RegisterTaskDefinition', 'TagResource'),
    'iam:PassRole',
  ],
  'AWS::EFS::AccessPoint': of('elasticfilesystem', 'CreateAccessPoint', 'DeleteAccessPoint', 'DescribeAccessPoints'),
  'AWS::EFS::FileSystem': of(
    'elasticfilesystem',
    ...['CreateFileSystem', 'DeleteFileSystem', 'DescribeFileSystems', 'PutBackupPolicy', 'PutFileSystemPolicy'],
    ...['PutLifecycleConfiguration', 'UpdateFileSystem'],
  ),
  'AWS::EFS::MountTarget': [
    ...of('elasticfilesystem', 'CreateMountTarget', 'DeleteMountTarget', 'ModifyMountTargetSecurityGroups'),
    ...of('ec2', 'CreateNetworkInterface', 'DescribeNetworkInterfaces', 'DescribeSubnets'),
  ],
  'AWS::ElasticLoadBalancingV2::Listener': of(
    'elasticloadbalancing',
    ...['AddTags', 'CreateListener', 'DeleteListener', 'DescribeListeners', 'ModifyListener'],
  ),
  'AWS::ElasticLoadBalancingV2::LoadBalancer': [
    ...of('elasticloadbalancing', 'AddTags', 'CreateLoadBalancer', 'DeleteLoadBalancer', 'DescribeLoadBalancers'),
    ...of('elasticloadbalancing', 'ModifyLoadBalancerAttributes', 'SetSecurityGroups', 'SetSubnets'),
    'ec2:DescribeSubnets',
    'iam:CreateServiceLinkedRole',
  ],
  'AWS::ElasticLoadBalancingV2::TargetGroup': [
    ...of('elasticloadbalancing', 'AddTags', 'CreateTargetGroup', 'DeleteTargetGroup', 'DescribeTargetGroups'),
    ...of('elasticloadbalancing', 'ModifyTargetGroup', 'ModifyTargetGroupAttributes'),
  ],
  'AWS::Events::Rule': of('events', 'DeleteRule', 'DescribeRule', 'PutRule', 'PutTargets', 'RemoveTargets'),
  'AWS::IAM::InstanceProfile': of(
    'iam',
    ...['AddRoleToInstanceProfile', 'CreateInstanceProfile', 'DeleteInstanceProfile', 'RemoveRoleFromInstanceProfile'],
  ),
  'AWS::IAM::Policy': of('iam', 'DeleteRolePolicy', 'GetRolePolicy', 'PutRolePolicy'),
  'AWS::IAM::Role': of('iam', 'CreateRole', 'DeleteRole', 'GetRole', 'TagRole', 'UpdateAssumeRolePolicy'),
  'AWS::KMS::Key': of('kms', 'CreateKey', 'DescribeKey', 'EnableKeyRotation', 'PutKeyPolicy', 'ScheduleKeyDeletion'),
  'AWS::Lambda::EventSourceMapping': of(
    'lambda',
    ...['CreateEventSourceMapping', 'DeleteEventSourceMapping', 'GetEventSourceMapping', 'UpdateEventSourceMapping'],
  ),
  'AWS::Lambda::Function': of(
    'lambda',
    ...['CreateFunction', 'DeleteFunction', 'GetFunction', 'PutFunctionConcurrency', 'TagResource'],
    ...['UpdateFunctionCode', 'UpdateFunctionConfiguration'],
  ),
  'AWS::Lambda::Permission': of('lambda', 'AddPermission', 'GetPolicy', 'RemovePermission'),
  'AWS::Logs::LogGroup': of('logs', 'CreateLogGroup', 'DeleteLogGroup', 'DescribeLogGroups', 'PutRetentionPolicy'),
  'AWS::Pipes::Pipe': of('pipes', 'CreatePipe', 'DeletePipe', 'DescribePipe', 'UpdatePipe'),
  'AWS::S3::Bucket': of(
    's3',
    ...['CreateBucket', 'DeleteBucket', 'PutBucketPublicAccessBlock', 'PutBucketTagging'],
    ...['PutEncryptionConfiguration', 'PutLifecycleConfiguration'],
  ),
  'AWS::S3::BucketPolicy': of('s3', 'DeleteBucketPolicy', 'GetBucketPolicy', 'PutBucketPolicy'),
  'AWS::SQS::Queue': of('sqs', 'CreateQueue', 'DeleteQueue', 'GetQueueAttributes', 'SetQueueAttributes', 'TagQueue'),
  'AWS::SQS::QueuePolicy': of('sqs', 'GetQueueAttributes', 'SetQueueAttributes'),
  'AWS::SSM::Parameter': of(
    'ssm',
    'AddTagsToResource',
    'DeleteParameter',
    'DescribeParameters',
    'GetParameters',
    'ListTagsForResource',
    'PutParameter',
    'RemoveTagsFromResource',
  ),
  'AWS::StepFunctions::StateMachine': of(
    'states',
    ...['CreateStateMachine', 'DeleteStateMachine', 'DescribeStateMachine', 'UpdateStateMachine'],
  ),
  'AWS::WAFv2::WebACL': of('wafv2', 'CreateWebACL', 'DeleteWebACL', 'GetWebACL', 'UpdateWebACL'),
  'AWS::WAFv2::WebACLAssociation': [
    ...of('wafv2', 'AssociateWebACL', 'DisassociateWebACL', 'GetWebACLForResource'),
    'apigateway:SetWebACL',
  ],
  // CloudFormation calls the function of the resource.
  'Custom::*': of('lambda', 'InvokeFunction'),
};

/** The prefixes of the roles and profiles of the stacks, and of the roles that AWS creates for its services. */
export const OURS = [
  'arn:aws:iam::*:role/gpu-endpoints-',
  'arn:aws:iam::*:role/gpu-endpoints/',
  'arn:aws:iam::*:role/aws-service-role/',
  'arn:aws:iam::*:instance-profile/gpu-endpoints-',
];
