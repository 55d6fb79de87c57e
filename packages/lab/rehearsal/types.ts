/** The resource types that the emulator accepts, and the facts that a rehearsal with it does not prove. */
import type { Properties } from './template.ts';

/**
 * What a rehearsal does with the resources of a type.
 *
 *  - `used`: they are created, and requests of the rehearsal fail without them
 *  - `made`: CloudFormation creates, changes and deletes them; no request of the rehearsal depends on them
 *  - `left out`: the emulator refuses them
 */
type Rehearsed = 'used' | 'made' | 'left out';

export interface TypeRule {
  readonly type: string;
  readonly rehearsed: Rehearsed;
  /** Unproven facts. For all types, it is also unproven that AWS accepts the properties, and how long it takes. */
  readonly unproven: string;
  /** The test that proves the facts instead, or `nothing yet`. */
  readonly shownBy: string;
  /** The resources of this type that the emulator refuses, although it creates others. */
  readonly leavesOut?: { readonly which: string; readonly those: (properties: Properties) => boolean };
}

const START = '`npm start`';
const NOTHING = 'nothing yet';
/** Marks a type whose resources work as in AWS. */
const NO_MORE = 'nothing more';

const rule =
  (rehearsed: Rehearsed) =>
  (type: string, unproven: string, shownBy: string = NOTHING): TypeRule => ({
    type,
    rehearsed,
    unproven,
    shownBy: unproven === NO_MORE ? '' : shownBy,
  });
const used = rule('used');
const made = rule('made');
const leftOut = rule('left out');

/**
 * Rules in the order of the types' names. A template with another type is an error, because the type needs a rule
 * first.
 */
export const typeRules: readonly TypeRule[] = [
  used('AWS::ApiGateway::ApiKey', 'that the authorizer chooses it: the emulator reads it from a header', START),
  used('AWS::ApiGateway::Authorizer', NO_MORE),
  used('AWS::ApiGateway::Deployment', 'that changed routes are deployed again'),
  used('AWS::ApiGateway::GatewayResponse', 'messages with `$context.authorizer`', START),
  used('AWS::ApiGateway::Method', 'streamed responses, validators, CORS', START),
  used('AWS::ApiGateway::Resource', NO_MORE),
  used('AWS::ApiGateway::RestApi', 'TLS policy, endpoint access mode'),
  used('AWS::ApiGateway::Stage', 'access logs'),
  used('AWS::ApiGateway::UsagePlan', 'rates', START),
  leftOut('AWS::ApiGatewayV2::VpcLink', 'the route from API Gateway to the ingress', START),
  leftOut('AWS::ApplicationAutoScaling::ScalableTarget', 'the number of tasks of the ingress'),
  leftOut('AWS::ApplicationAutoScaling::ScalingPolicy', 'the number of tasks of the ingress'),
  made('AWS::AutoScaling::AutoScalingGroup', 'that instances start and join the cluster'),
  leftOut('AWS::AutoScaling::WarmPool', 'that stopped instances wait'),
  made('AWS::CDK::Metadata', NO_MORE),
  leftOut('AWS::CloudFront::Distribution', 'the published address', START),
  leftOut('AWS::CloudFront::Function', 'which origin a request goes to', START),
  leftOut('AWS::CloudFront::OriginAccessControl', 'that only the distribution reads the console', START),
  leftOut('AWS::CloudFront::ResponseHeadersPolicy', 'the headers of the console', START),
  leftOut('AWS::CloudFront::VpcOrigin', 'the route of large bodies to the ingress', START),
  {
    ...made('AWS::CloudWatch::Alarm', 'that alarms go off'),
    leavesOut: {
      which: 'alarms with metric math, and those of the load balancer',
      those: ({ Metrics, Namespace }) => Metrics !== undefined || Namespace === 'AWS/ApplicationELB',
    },
  },
  leftOut('AWS::CloudWatch::Dashboard', 'what it shows'),
  leftOut('AWS::Cognito::ManagedLoginBranding', 'that the sign-in pages are available'),
  made('AWS::Cognito::UserPool', 'passwords, passkeys, second factors, emails'),
  leftOut('AWS::Cognito::UserPoolClient', 'which tokens it issues, and that refresh tokens rotate', START),
  leftOut('AWS::Cognito::UserPoolDomain', 'that the prefix of the domain is free'),
  made('AWS::Cognito::UserPoolGroup', 'that tokens name the groups', START),
  leftOut('AWS::Cognito::UserPoolIdentityProvider', 'sign-in by a SAML or OIDC provider'),
  used('AWS::DynamoDB::Table', 'time to live, recovery, capacity', `${START}: time to live`),
  leftOut('AWS::EC2::EIP', 'the address of the NAT gateway'),
  made('AWS::EC2::InternetGateway', 'the route to the internet'),
  made('AWS::EC2::LaunchTemplate', 'that instances start from it'),
  leftOut('AWS::EC2::NatGateway', 'the route from private subnets to the internet'),
  made('AWS::EC2::Route', 'the routes of packets'),
  made('AWS::EC2::RouteTable', 'the routes of packets'),
  made('AWS::EC2::SecurityGroup', 'which packets pass'),
  leftOut('AWS::EC2::SecurityGroupEgress', 'which packets pass'),
  leftOut('AWS::EC2::SecurityGroupIngress', 'which packets pass'),
  made('AWS::EC2::Subnet', 'that its zone exists'),
  made('AWS::EC2::SubnetRouteTableAssociation', 'the routes of packets'),
  made('AWS::EC2::VPC', 'the network'),
  made('AWS::EC2::VPCEndpoint', 'the route to S3 and DynamoDB'),
  made('AWS::EC2::VPCGatewayAttachment', 'the route to the internet'),
  leftOut('AWS::ECR::PullThroughCacheRule', 'that ECR pulls and caches an image', START),
  leftOut('AWS::ECR::RepositoryCreationTemplate', 'that cached repositories keep the newest images'),
  leftOut('AWS::ECS::CapacityProvider', 'that a pool grows and shrinks with its workers'),
  made('AWS::ECS::Cluster', NO_MORE),
  leftOut('AWS::ECS::ClusterCapacityProviderAssociations', 'that services may use the pool'),
  made('AWS::ECS::Service', 'that workers start, and replace others in a release', START),
  made('AWS::ECS::TaskDefinition', 'that containers start and find their settings', START),
  made('AWS::EFS::AccessPoint', 'which folder workers get', START),
  made('AWS::EFS::FileSystem', 'that workers keep files', START),
  made('AWS::EFS::MountTarget', 'that workers reach the file system'),
  leftOut('AWS::ElasticLoadBalancingV2::Listener', 'which requests reach the ingress', START),
  leftOut('AWS::ElasticLoadBalancingV2::LoadBalancer', 'which requests reach the ingress', START),
  leftOut('AWS::ElasticLoadBalancingV2::TargetGroup', 'that tasks are healthy, and drain', START),
  made('AWS::Events::Rule', 'events of ECS and Auto Scaling', `${START}: those of ECS`),
  made('AWS::IAM::InstanceProfile', 'that instances get the role'),
  made('AWS::IAM::ManagedPolicy', 'that the permissions suffice: the emulator refuses nothing', START),
  made('AWS::IAM::Policy', 'that the permissions suffice: the emulator refuses nothing', START),
  made('AWS::IAM::Role', 'which principals may assume it'),
  made('AWS::KMS::Key', 'which principals may use it', START),
  used('AWS::Lambda::EventSourceMapping', 'retries, dead letters, filters', START),
  used('AWS::Lambda::Function', 'memory, timeouts, concurrency, streaming', `${START}, except for memory`),
  made('AWS::Lambda::Permission', 'which principals may invoke it'),
  made('AWS::Logs::LogGroup', 'that logs arrive, and expire', START),
  leftOut('AWS::Logs::QueryDefinition', 'that the query finds lines'),
  made('AWS::Pipes::Pipe', 'filters, retries, dead letters', START),
  leftOut('AWS::Route53::HostedZone', 'that names are resolved'),
  leftOut('AWS::Route53::RecordSet', 'that names are resolved'),
  made('AWS::S3::Bucket', 'lifecycle, encryption, public access', `${START}: lifecycle`),
  made('AWS::S3::BucketPolicy', 'which principals may read and write', START),
  leftOut('AWS::SNS::Topic', 'that somebody is notified'),
  used('AWS::SQS::Queue', 'redrive, retention', START),
  made('AWS::SQS::QueuePolicy', 'which principals may send and receive', START),
  used('AWS::SSM::Parameter', 'which principals may read it'),
  made('AWS::StepFunctions::StateMachine', 'executions', START),
  made('AWS::WAFv2::WebACL', 'what it blocks'),
  leftOut('AWS::WAFv2::WebACLAssociation', 'what the web ACL blocks'),
  made('Custom::ConsoleFiles', 'that a browser gets the files', START),
  used('Custom::Endpoint', NO_MORE),
  used('Custom::EndpointTemplate', NO_MORE),
  used('Custom::FirstRevision', 'that ECS accepts the revision', START),
  used('Custom::LiveCount', 'that it counts workers', START),
  used('Custom::Release', 'that workers are replaced', START),
  used('Custom::Template', NO_MORE),
  used('Custom::UsagePlanKeys', 'that conflicting calls are repeated', START),
  used('Custom::WaitSlots', 'the quota of an account'),
];
