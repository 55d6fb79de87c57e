/** The supported resource types, and the effect of each on this machine. Any other type prevents the start. */
import type { ResourceType } from './resource-type.ts';
import { withoutEffect } from './resource-type.ts';
import * as apiGateway from './resources/api-gateway.ts';
import * as cloudFront from './resources/cloudfront.ts';
import { alarm } from './resources/cloudwatch.ts';
import * as cognito from './resources/cognito.ts';
import { customResource } from './resources/custom.ts';
import { table } from './resources/dynamodb.ts';
import { pullThroughCacheRule } from './resources/ecr.ts';
import { capacityProvider, cluster, service, taskDefinition } from './resources/ecs.ts';
import { accessPoint, fileSystem } from './resources/efs.ts';
import { eventSourceMapping } from './resources/event-source-mapping.ts';
import { rule } from './resources/events.ts';
import * as iam from './resources/iam.ts';
import { key } from './resources/kms.ts';
import { lambdaFunction } from './resources/lambda.ts';
import * as loadBalancing from './resources/load-balancing.ts';
import { logGroup } from './resources/logs.ts';
import { pipe } from './resources/pipe.ts';
import { bucket } from './resources/s3.ts';
import { queue } from './resources/sqs.ts';
import { parameter } from './resources/ssm.ts';
import { stateMachine } from './resources/step-functions.ts';

const network = withoutEffect('All parts share the loopback interface.');
const instances = withoutEffect('Tasks are processes on this machine, so it needs no instances.');
const names = withoutEffect('Programs on this machine call its loopback interface, which needs no other name.');
const scaling = withoutEffect('One machine serves all requests: more tasks on it would share its processors.');
const strangers = withoutEffect('Only programs on this machine can call.');

const resourceTypes: Readonly<Record<string, ResourceType>> = {
  'AWS::ApiGateway::ApiKey': apiGateway.apiKey,
  'AWS::ApiGateway::Authorizer': apiGateway.authorizer,
  'AWS::ApiGateway::Deployment': withoutEffect('A local stage serves the template, not the last deployment.'),
  'AWS::ApiGateway::GatewayResponse': apiGateway.gatewayResponse,
  'AWS::ApiGateway::Method': apiGateway.method,
  'AWS::ApiGateway::Resource': apiGateway.resource,
  'AWS::ApiGateway::RestApi': apiGateway.restApi,
  'AWS::ApiGateway::Stage': apiGateway.stage,
  'AWS::ApiGateway::UsagePlan': apiGateway.usagePlan,
  'AWS::ApiGatewayV2::VpcLink': apiGateway.vpcLink,
  'AWS::ApplicationAutoScaling::ScalableTarget': scaling,
  'AWS::ApplicationAutoScaling::ScalingPolicy': scaling,
  'AWS::AutoScaling::AutoScalingGroup': instances,
  'AWS::AutoScaling::WarmPool': instances,
  'AWS::CDK::Metadata': withoutEffect('The resource only reports to AWS which constructs are used.'),
  'AWS::CloudFront::Distribution': cloudFront.distribution,
  'AWS::CloudFront::Function': cloudFront.edgeFunction,
  'AWS::CloudFront::OriginAccessControl': cloudFront.originAccessControl,
  'AWS::CloudFront::ResponseHeadersPolicy': cloudFront.responseHeadersPolicy,
  'AWS::CloudFront::VpcOrigin': cloudFront.vpcOrigin,
  'AWS::CloudWatch::Alarm': alarm,
  'AWS::CloudWatch::Dashboard': withoutEffect('No page here shows dashboards.'),
  'AWS::Cognito::ManagedLoginBranding': withoutEffect('The local sign-in page has one style.'),
  'AWS::Cognito::UserPool': cognito.userPool,
  'AWS::Cognito::UserPoolClient': cognito.userPoolClient,
  'AWS::Cognito::UserPoolDomain': cognito.userPoolDomain,
  'AWS::Cognito::UserPoolGroup': cognito.userPoolGroup,
  'AWS::Cognito::UserPoolIdentityProvider': withoutEffect('The local sign-in page offers the roles.'),
  'AWS::DynamoDB::Table': table,
  'AWS::EC2::EIP': network,
  'AWS::EC2::InternetGateway': network,
  'AWS::EC2::LaunchTemplate': instances,
  'AWS::EC2::NatGateway': network,
  'AWS::EC2::Route': network,
  'AWS::EC2::RouteTable': network,
  'AWS::EC2::SecurityGroup': network,
  'AWS::EC2::SecurityGroupEgress': network,
  'AWS::EC2::SecurityGroupIngress': network,
  'AWS::EC2::Subnet': network,
  'AWS::EC2::SubnetRouteTableAssociation': network,
  'AWS::EC2::VPC': network,
  'AWS::EC2::VPCEndpoint': network,
  'AWS::EC2::VPCGatewayAttachment': network,
  'AWS::ECR::PullThroughCacheRule': pullThroughCacheRule,
  'AWS::ECR::RepositoryCreationTemplate': withoutEffect('No image is stored here.'),
  'AWS::ECS::CapacityProvider': capacityProvider,
  'AWS::ECS::Cluster': cluster,
  'AWS::ECS::ClusterCapacityProviderAssociations': withoutEffect('This machine is the only capacity.'),
  'AWS::ECS::Service': service,
  'AWS::ECS::TaskDefinition': taskDefinition,
  'AWS::EFS::AccessPoint': accessPoint,
  'AWS::EFS::FileSystem': fileSystem,
  'AWS::EFS::MountTarget': network,
  'AWS::ElasticLoadBalancingV2::Listener': loadBalancing.listener,
  'AWS::ElasticLoadBalancingV2::LoadBalancer': loadBalancing.loadBalancer,
  'AWS::ElasticLoadBalancingV2::TargetGroup': loadBalancing.targetGroup,
  'AWS::Events::Rule': rule,
  'AWS::IAM::InstanceProfile': instances,
  'AWS::IAM::ManagedPolicy': iam.managedPolicy,
  'AWS::IAM::Policy': iam.policy,
  'AWS::IAM::Role': iam.role,
  'AWS::KMS::Key': key,
  'AWS::Lambda::EventSourceMapping': eventSourceMapping,
  'AWS::Lambda::Function': lambdaFunction,
  'AWS::Lambda::Permission': withoutEffect('Only emulated services call functions, and they are part of this program.'),
  'AWS::Logs::LogGroup': logGroup,
  'AWS::Logs::QueryDefinition': withoutEffect('Logs are files, without Logs Insights.'),
  'AWS::Pipes::Pipe': pipe,
  'AWS::Route53::HostedZone': names,
  'AWS::Route53::RecordSet': names,
  'AWS::S3::Bucket': bucket,
  'AWS::S3::BucketPolicy': iam.bucketPolicy,
  'AWS::SNS::Topic': withoutEffect('Only alarms notify topics, and the user sees them where the service was started.'),
  'AWS::SQS::Queue': queue,
  'AWS::SQS::QueuePolicy': iam.queuePolicy,
  'AWS::SSM::Parameter': parameter,
  'AWS::StepFunctions::StateMachine': stateMachine,
  'AWS::WAFv2::WebACL': strangers,
  'AWS::WAFv2::WebACLAssociation': strangers,
};

/** Returns the type, or undefined if the type is not supported. */
export function resourceTypeOf(type: string): ResourceType | undefined {
  if (type.startsWith('Custom::') || type === 'AWS::CloudFormation::CustomResource') return customResource;
  return Object.hasOwn(resourceTypes, type) ? resourceTypes[type] : undefined;
}
