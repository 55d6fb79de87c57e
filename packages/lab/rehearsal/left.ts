/** Lists the resources that remain in the emulator after all stacks are destroyed. */
import { CloudFormationClient, paginateListStacks, StackStatus } from '@aws-sdk/client-cloudformation';
import { CloudWatchLogsClient, paginateDescribeLogGroups } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient, paginateListTables } from '@aws-sdk/client-dynamodb';
import { ECSClient, ListClustersCommand } from '@aws-sdk/client-ecs';
import { IAMClient, paginateListRoles } from '@aws-sdk/client-iam';
import { KMSClient, ListKeysCommand } from '@aws-sdk/client-kms';
import { LambdaClient, paginateListFunctions } from '@aws-sdk/client-lambda';
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { ListStateMachinesCommand, SFNClient } from '@aws-sdk/client-sfn';
import { paginateListQueues, SQSClient } from '@aws-sdk/client-sqs';
import { paginateDescribeParameters, SSMClient } from '@aws-sdk/client-ssm';

/** Names of the retained resources in the table of docs/guides/remove.md. */
export const retained = {
  'each table': 'AWS::DynamoDB::Table',
  'the bucket of payloads': 'AWS::S3::Bucket',
  'the key of secrets': 'AWS::KMS::Key',
  'the file system of volumes': 'AWS::EFS::FileSystem',
  'the user pool': 'AWS::Cognito::UserPool',
} as const;

/** Names of the existing resources, by resource type. */
export type Left = ReadonlyMap<string, readonly string[]>;

export interface Account {
  readonly region: string;
  readonly endpoint: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

async function all<Page>(pages: AsyncIterable<Page>, names: (page: Page) => readonly (string | undefined)[]) {
  const found: string[] = [];
  for await (const page of pages) found.push(...names(page).filter((name) => name !== undefined));
  return found;
}

/**
 * Calls a service without its SDK. The emulator reads the service from the authorization header, and checks no
 * signature.
 */
async function call<Answer>(
  { endpoint, region }: Account,
  service: string,
  path: string,
  request: { readonly target: string; readonly input: object } | undefined = undefined,
): Promise<Answer> {
  const scope = `rehearsal/20260101/${region}/${service}/aws4_request`;
  const authorization = `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=none`;
  const response = await fetch(`${endpoint}${path}`, {
    headers: {
      authorization,
      ...(request && { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': request.target }),
    },
    ...(request && { method: 'POST', body: JSON.stringify(request.input) }),
  });
  return (await response.json()) as Answer;
}

async function fileSystems(account: Account): Promise<string[]> {
  type Answer = { FileSystems?: { FileSystemId: string }[] };
  const { FileSystems = [] } = await call<Answer>(account, 'elasticfilesystem', '/2015-02-01/file-systems');
  return FileSystems.map(({ FileSystemId }) => FileSystemId);
}

async function userPools(account: Account): Promise<string[]> {
  type Answer = { UserPools?: { Id: string }[] };
  const request = { target: 'AWSCognitoIdentityProviderService.ListUserPools', input: { MaxResults: 60 } };
  const { UserPools = [] } = await call<Answer>(account, 'cognito-idp', '/', request);
  return UserPools.map(({ Id }) => Id);
}

/**
 * Lists the remaining stacks, data, functions, logs, parameters and roles, which include most resources that cost
 * money while unused.
 */
export async function leftIn(account: Account): Promise<Left> {
  const present = Object.values(StackStatus).filter((status) => status !== StackStatus.DELETE_COMPLETE);
  const found = {
    'AWS::Cognito::UserPool': userPools(account),
    'AWS::CloudFormation::Stack': all(
      paginateListStacks({ client: new CloudFormationClient(account) }, { StackStatusFilter: present }),
      ({ StackSummaries = [] }) => StackSummaries.map(({ StackName }) => StackName),
    ),
    'AWS::DynamoDB::Table': all(
      paginateListTables({ client: new DynamoDBClient(account) }, {}),
      ({ TableNames = [] }) => TableNames,
    ),
    'AWS::ECS::Cluster': new ECSClient(account)
      .send(new ListClustersCommand())
      .then(({ clusterArns = [] }) => clusterArns),
    'AWS::EFS::FileSystem': fileSystems(account),
    'AWS::IAM::Role': all(paginateListRoles({ client: new IAMClient(account) }, {}), ({ Roles = [] }) =>
      Roles.map(({ RoleName }) => RoleName),
    ),
    'AWS::KMS::Key': new KMSClient(account)
      .send(new ListKeysCommand())
      .then(({ Keys = [] }) => Keys.map(({ KeyId }) => KeyId ?? '')),
    'AWS::Lambda::Function': all(
      paginateListFunctions({ client: new LambdaClient(account) }, {}),
      ({ Functions = [] }) => Functions.map(({ FunctionName }) => FunctionName),
    ),
    'AWS::Logs::LogGroup': all(
      paginateDescribeLogGroups({ client: new CloudWatchLogsClient(account) }, {}),
      ({ logGroups = [] }) => logGroups.map(({ logGroupName }) => logGroupName),
    ),
    'AWS::S3::Bucket': new S3Client({ ...account, forcePathStyle: true })
      .send(new ListBucketsCommand())
      .then(({ Buckets = [] }) => Buckets.map(({ Name }) => Name ?? '')),
    'AWS::SQS::Queue': all(
      paginateListQueues({ client: new SQSClient(account) }, {}),
      ({ QueueUrls = [] }) => QueueUrls,
    ),
    'AWS::SSM::Parameter': all(
      paginateDescribeParameters({ client: new SSMClient(account) }, {}),
      ({ Parameters = [] }) => Parameters.map(({ Name }) => Name),
    ),
    'AWS::StepFunctions::StateMachine': new SFNClient(account)
      .send(new ListStateMachinesCommand())
      .then(({ stateMachines = [] }) => stateMachines.map(({ stateMachineArn }) => stateMachineArn ?? '')),
  };
  const entries = Object.entries(found).map(async ([type, names]) => [type, await names] as const);
  return new Map(await Promise.all(entries));
}

/** Returns the resources that did not exist before. */
export const since = (before: Left, after: Left): Left =>
  new Map(
    [...after].map(
      ([type, names]) => [type, names.filter((name) => !(before.get(type) ?? []).includes(name))] as const,
    ),
  );
