/**
 * The calls of CloudFormation's handlers that the stacks do not need. Most of them are for a property that no resource of
 * the type has: with the property, they are needed.
 */

export interface UnusedCalls {
  /** Patterns of actions, in which `*` matches any characters. */
  readonly actions: readonly string[];
  /** A text in the JSON of each resource that needs the calls, such as the name of a property. */
  readonly text?: string;
}

/** Calls for a property. */
const ifSet = (property: string, ...actions: readonly string[]): UnusedCalls => ({ text: `"${property}"`, actions });
/** Calls for a resource whose JSON contains the text. */
const ifContained = (text: string, ...actions: readonly string[]): UnusedCalls => ({ text, actions });
/** Calls that no resource needs. The reason is for readers of this file. */
const never = (_reason: string, ...actions: readonly string[]): UnusedCalls => ({ actions });

/** Unused calls by type. */
export const unused: Readonly<Record<string, readonly UnusedCalls[]>> = {
  'AWS::ApiGateway::Authorizer': [ifSet('AuthorizerCredentials', 'iam:PassRole')],
  'AWS::ApiGateway::Method': [ifSet('Credentials', 'iam:PassRole')],
  'AWS::ApiGateway::RestApi': [
    ifSet('BodyS3Location', 's3:GetObject'),
    ifSet('Policy', 'apigateway:UpdateRestApiPolicy', 'iam:PassRole'),
  ],
  'AWS::ApiGatewayV2::VpcLink': [
    never(
      "The role of API Gateway's links remains when a link is deleted.",
      'iam:DeleteServiceLinkedRole',
      'iam:GetServiceLinkedRoleDeletionStatus',
    ),
  ],
  'AWS::ApplicationAutoScaling::ScalableTarget': [
    ifSet(
      'ScheduledActions',
      'application-autoscaling:DeleteScheduledAction',
      'application-autoscaling:PutScheduledAction',
    ),
    ifSet('RoleARN', 'iam:PassRole'),
    ifContained('lambda', 'lambda:*'),
  ],
  'AWS::ApplicationAutoScaling::ScalingPolicy': [
    ifSet('PredictiveScalingPolicyConfiguration', 'cloudwatch:GetMetricData'),
  ],
  'AWS::AutoScaling::AutoScalingGroup': [
    ifSet('InstanceRequirements', 'ec2:Get*'),
    ifSet('LifecycleHookSpecificationList', 'autoscaling:*LifecycleHook'),
    ifSet('LoadBalancerNames', 'autoscaling:*LoadBalancers', 'elasticloadbalancing:*'),
    ifSet('MetricsCollection', 'autoscaling:*MetricsCollection', 'cloudwatch:PutMetricAlarm'),
    ifSet('NotificationConfigurations', 'autoscaling:*NotificationConfiguration'),
    ifSet('SuspendProcesses', 'autoscaling:ResumeProcesses', 'autoscaling:SuspendProcesses'),
    ifSet('AutoScalingRollingUpdate', 'autoscaling:*InstanceRefresh'),
    ifSet('TargetGroupARNs', 'autoscaling:*LoadBalancerTargetGroups'),
    ifSet('TrafficSources', 'autoscaling:*TrafficSources', 'vpc-lattice:*'),
    ifContained('resolve:ssm', 'ssm:Get*'),
    never('These fleets have no documentation, and no property.', 'managed-fleets:*'),
  ],
  'AWS::CloudFront::Distribution': [
    ifSet('ConnectionMode', 'cloudfront:*ConnectionGroup'),
    ifSet('Staging', 'cloudfront:UpdateDistributionWithStagingConfig'),
  ],
  'AWS::CloudFront::VpcOrigin': [never('The load balancer is in the account of the distribution.', 'sts:AssumeRole')],
  'AWS::Cognito::UserPool': [
    ifSet('EmailConfiguration', 'iam:CreateServiceLinkedRole'),
    ifSet('KMSKeyID', 'kms:*'),
    ifSet('SmsConfiguration', 'iam:PassRole'),
  ],
  'AWS::Cognito::UserPoolClient': [ifSet('AnalyticsConfiguration', 'iam:*')],
  'AWS::Cognito::UserPoolDomain': [ifSet('CustomDomainConfig', 'cloudfront:*', 'kms:*')],
  'AWS::Cognito::UserPoolGroup': [ifSet('RoleArn', 'iam:*')],
  'AWS::DynamoDB::Table': [
    ifSet('ImportSourceSpecification', 'dynamodb:*Import*', 'logs:*', 's3:*'),
    ifSet('KinesisStreamSpecification', 'dynamodb:*bleKinesis*', 'dynamodb:UpdateKinesis*', 'kinesis:*'),
    ifSet('ProvisionedThroughput', 'iam:CreateServiceLinkedRole'),
    ifSet('ResourcePolicy', 'dynamodb:DeleteResourcePolicy', 'dynamodb:PutResourcePolicy'),
    ifSet('SSESpecification', 'kms:*'),
    never('Replicas are of another type, AWS::DynamoDB::GlobalTable.', 'dynamodb:*TableReplica'),
    never(
      'These calls copy the items to a replica.',
      ...['dynamodb:BatchWriteItem', 'dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem'],
      ...['dynamodb:Query', 'dynamodb:Scan', 'dynamodb:UpdateItem'],
    ),
  ],
  'AWS::EC2::EIP': [ifSet('TransferAddress', 'ec2:AcceptAddressTransfer')],
  'AWS::EC2::NatGateway': [
    ifSet('SecondaryAllocationIds', 'ec2:*associateNatGatewayAddress', 'ec2:AssociateNatGatewayAddress'),
    ifSet('SecondaryPrivateIpAddresses', 'ec2:*ssignPrivateNatGatewayAddress'),
  ],
  'AWS::EC2::Subnet': [ifContained('Ipv6', 'ec2:*ssociateSubnetCidrBlock')],
  'AWS::EC2::VPC': [
    ifSet('VpcEncryptionControl', 'ec2:*VpcEncryptionControl*'),
    ifContained('"dedicated"', 'ec2:ModifyVpcTenancy'),
  ],
  'AWS::EC2::VPCEndpoint': [
    ifSet('ServiceNetworkArn', 'vpc-lattice:*'),
    ifSet('ServiceRegion', 'vpce:AllowMultiRegion'),
  ],
  'AWS::EC2::VPCGatewayAttachment': [ifSet('VpnGatewayId', 'ec2:*VpnGateway*')],
  'AWS::ECR::PullThroughCacheRule': [ifSet('CustomRoleArn', 'iam:PassRole')],
  'AWS::ECR::RepositoryCreationTemplate': [
    ifSet('CustomRoleArn', 'iam:PassRole'),
    ifSet('RepositoryPolicy', 'ecr:SetRepositoryPolicy'),
  ],
  'AWS::ECS::Cluster': [
    ifSet('Configuration', 'kms:*'),
    never('Settings of the account are not part of a deployment.', 'ecs:PutAccountSetting*'),
  ],
  'AWS::EFS::FileSystem': [
    ifSet('ReplicationConfiguration', 'elasticfilesystem:*ReplicationConfiguration*', 'iam:PassRole'),
  ],
  'AWS::ElasticLoadBalancingV2::Listener': [ifSet('AuthenticateCognitoConfig', 'cognito-idp:*')],
  'AWS::ElasticLoadBalancingV2::LoadBalancer': [
    ifSet('Ipv4IpamPoolId', 'ec2:DescribeIpamPools', 'elasticloadbalancing:ModifyIpPools'),
    ifSet('MinimumLoadBalancerCapacity', 'elasticloadbalancing:*CapacityReservation*'),
  ],
  'AWS::ElasticLoadBalancingV2::TargetGroup': [
    ifSet('Targets', 'elasticloadbalancing:DeregisterTargets', 'elasticloadbalancing:RegisterTargets'),
  ],
  'AWS::Events::Rule': [ifContained('"RoleArn"', 'iam:PassRole')],
  'AWS::IAM::Policy': [ifSet('Groups', 'iam:*GroupPolicy'), ifSet('Users', 'iam:*UserPolicy')],
  'AWS::IAM::Role': [
    ifSet('ManagedPolicyArns', 'iam:AttachRolePolicy', 'iam:DetachRolePolicy'),
    never('A role must keep its boundary.', 'iam:DeleteRolePermissionsBoundary'),
  ],
  'AWS::Lambda::EventSourceMapping': [ifSet('KmsKeyArn', 'kms:*')],
  'AWS::Lambda::Function': [
    ifSet('CapacityProviderConfig', 'lambda:PassCapacityProvider', 'lambda:PutFunctionScalingConfig'),
    ifSet(
      'CodeSigningConfigArn',
      'lambda:*eFunctionCodeSigningConfig',
      'lambda:GetCodeSigningConfig',
      'lambda:PutFunctionCodeSigningConfig',
    ),
    ifSet('FileSystemConfigs', 'elasticfilesystem:*', 's3files:*'),
    ifSet('KmsKeyArn', 'kms:*'),
    ifSet('Layers', 'lambda:GetLayerVersion'),
    ifSet('PublishToLatestPublished', 'lambda:PublishVersion'),
    ifSet('RuntimeManagementConfig', 'lambda:AssociateRuntimeAlias', 'lambda:PutRuntimeManagementConfig'),
    ifSet('VpcConfig', 'ec2:*'),
    ifSet('S3ObjectVersion', 's3:GetObjectVersion'),
  ],
  'AWS::Logs::LogGroup': [
    ifSet('BearerTokenAuthenticationEnabled', 'logs:*BearerTokenAuthentication*'),
    ifSet(
      'DataProtectionPolicy',
      'logs:DeleteDataProtectionPolicy',
      'logs:PutDataProtectionPolicy',
      'logs:*LogDelivery*',
    ),
    ifSet('DeletionProtectionEnabled', 'logs:PutLogGroupDeletionProtection'),
    ifSet('FieldIndexPolicies', 'logs:DeleteIndexPolicy', 'logs:PutIndexPolicy'),
    ifSet('KmsKeyId', 'logs:*KmsKey'),
    ifSet('LogGroupClass', 'firehose:*', 's3:*'),
    ifSet('ResourcePolicyDocument', 'logs:DeleteResourcePolicy', 'logs:PutResourcePolicy'),
  ],
  'AWS::Pipes::Pipe': [
    ifSet('KmsKeyIdentifier', 'kms:*'),
    ifSet('LogConfiguration', 'firehose:*', 'iam:CreateServiceLinkedRole', 'logs:*', 's3:*'),
  ],
  'AWS::S3::Bucket': [
    ifSet('AccelerateConfiguration', 's3:PutAccelerateConfiguration'),
    ifSet('AbacStatus', 's3:PutBucketAbac'),
    ifSet('AccessControl', 's3:PutBucketAcl', 's3:PutObjectAcl'),
    ifSet('AnalyticsConfigurations', 's3:DeleteBucketAnalyticsConfiguration', 's3:PutAnalyticsConfiguration'),
    ifSet('CorsConfiguration', 's3:DeleteBucketCors', 's3:PutBucketCORS'),
    ifSet('IntelligentTieringConfigurations', 's3:PutIntelligentTieringConfiguration'),
    ifSet('InventoryConfigurations', 's3:PutInventoryConfiguration'),
    ifSet('LoggingConfiguration', 's3:PutBucketLogging'),
    ifSet('MetadataConfiguration', 's3:*eBucketMetadata*TableConfiguration', 's3tables:*'),
    ifSet('MetricsConfigurations', 's3:DeleteBucketMetricsConfiguration', 's3:PutMetricsConfiguration'),
    ifSet('NotificationConfiguration', 's3:PutBucketNotification'),
    ifSet('ObjectLockConfiguration', 's3:PutBucketObjectLockConfiguration', 's3:PutObjectLockConfiguration'),
    ifSet('ReplicationConfiguration', 'iam:PassRole', 's3:*BucketReplication', 's3:PutReplicationConfiguration'),
    ifSet('VersioningConfiguration', 's3:PutBucketVersioning'),
    ifSet('WebsiteConfiguration', 's3:DeleteBucketWebsite', 's3:PutBucketWebsite'),
    never('CloudFormation never empties a bucket.', 's3:DeleteObject', 's3:ListBucket'),
  ],
  'AWS::StepFunctions::StateMachine': [
    ifSet('DefinitionS3Location', 's3:GetObject*'),
    ifSet('EncryptionConfiguration', 'kms:*'),
  ],
  'AWS::WAFv2::WebACL': [ifSet('MonetizationConfig', 'payments:*')],
  'AWS::WAFv2::WebACLAssociation': [
    ifContained(':amplify:', 'amplify:*'),
    ifContained(':apprunner:', 'apprunner:*'),
    ifContained(':appsync:', 'appsync:*'),
    ifContained(':bedrock-agentcore:', 'bedrock-agentcore:*'),
    ifContained(':cognito-idp:', 'cognito-idp:*', 'wafv2:*PermissionPolicy'),
    ifContained(':ec2:', 'ec2:*'),
  ],
};
