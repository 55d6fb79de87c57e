/** The types of resources that never cost anything, and why. */

const typesByReason: Readonly<Record<string, readonly string[]>> = {
  'IAM is free': ['AWS::IAM::InstanceProfile', 'AWS::IAM::ManagedPolicy', 'AWS::IAM::Policy', 'AWS::IAM::Role'],
  'a saved query is free; AWS charges for the bytes that it reads': ['AWS::Logs::QueryDefinition'],
  'a permission is free': ['AWS::Lambda::Permission', 'AWS::S3::BucketPolicy', 'AWS::SQS::QueuePolicy'],
  'AWS charges for the requests of an interface, not for its parts': [
    'AWS::ApiGateway::ApiKey',
    'AWS::ApiGateway::Authorizer',
    'AWS::ApiGateway::Deployment',
    'AWS::ApiGateway::GatewayResponse',
    'AWS::ApiGateway::Method',
    'AWS::ApiGateway::Resource',
    'AWS::ApiGateway::UsagePlan',
  ],
  'a VPC link to a load balancer is free; AWS charges for requests and for the load balancer': [
    'AWS::ApiGatewayV2::VpcLink',
  ],
  'AWS charges for the requests of a distribution, not for its parts': [
    'AWS::CloudFront::OriginAccessControl',
    'AWS::CloudFront::ResponseHeadersPolicy',
    'AWS::CloudFront::VpcOrigin',
  ],
  'AWS charges for users who sign in, after 10,000 a month, not for the parts of a user pool': [
    'AWS::Cognito::ManagedLoginBranding',
    'AWS::Cognito::UserPool',
    'AWS::Cognito::UserPoolClient',
    'AWS::Cognito::UserPoolDomain',
    'AWS::Cognito::UserPoolGroup',
    'AWS::Cognito::UserPoolIdentityProvider',
  ],
  'AWS charges for the load balancer, not for its parts': [
    'AWS::ElasticLoadBalancingV2::Listener',
    'AWS::ElasticLoadBalancingV2::TargetGroup',
  ],
  'AWS charges for the hosted zone and its queries, and alias records of CloudFront are free': [
    'AWS::Route53::RecordSet',
  ],
  'a network is free; AWS charges for its gateways, endpoints and addresses': [
    'AWS::EC2::InternetGateway',
    'AWS::EC2::Route',
    'AWS::EC2::RouteTable',
    'AWS::EC2::SecurityGroup',
    'AWS::EC2::SecurityGroupEgress',
    'AWS::EC2::SecurityGroupIngress',
    'AWS::EC2::Subnet',
    'AWS::EC2::SubnetRouteTableAssociation',
    'AWS::EC2::VPC',
    'AWS::EC2::VPCGatewayAttachment',
  ],
  'AWS charges for the files in it': ['AWS::EFS::AccessPoint', 'AWS::EFS::MountTarget'],
  'AWS charges for the images in the repositories that ECR creates': [
    'AWS::ECR::PullThroughCacheRule',
    'AWS::ECR::RepositoryCreationTemplate',
  ],
  'ECS is free; AWS charges for tasks and instances': [
    'AWS::ApplicationAutoScaling::ScalableTarget',
    'AWS::EC2::LaunchTemplate',
    'AWS::ECS::ClusterCapacityProviderAssociations',
    'AWS::ECS::TaskDefinition',
  ],
  'it only calls a function of the stacks when they are deployed': [
    'Custom::ConsoleFiles',
    'Custom::Endpoint',
    'Custom::EndpointTemplate',
    'Custom::FirstRevision',
    'Custom::LiveCount',
    'Custom::Release',
    'Custom::Template',
    'Custom::UsagePlanKeys',
    'Custom::WaitSlots',
  ],
  'AWS charges for a web ACL, its rules and the requests, not for what it protects': ['AWS::WAFv2::WebACLAssociation'],
  'a standard parameter is free, and so are its reads': ['AWS::SSM::Parameter'],
  'it is a record of CloudFormation': ['AWS::CDK::Metadata'],
};

/** Why a type of resource is free, by type. */
export const free: ReadonlyMap<string, string> = new Map(
  Object.entries(typesByReason).flatMap(([reason, types]) => types.map((type) => [type, reason])),
);
