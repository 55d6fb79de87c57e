/** The AWS account of the credentials. */
import { AutoScalingClient, paginateDescribeAutoScalingGroups } from '@aws-sdk/client-auto-scaling';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EC2Client, paginateDescribeNetworkInterfaces, paginateDescribeSecurityGroups } from '@aws-sdk/client-ec2';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { createDocumentClient } from '../../aws/clients.ts';
import { createEndpoints } from '../../aws/endpoints/endpoints.ts';
import { systemClock } from '../../core/clock.ts';
import { bounded, undefinedIfNotFound } from '../doctor/bounded.ts';
import type { Account, Instance, VpcBlocker } from './account.ts';
import { stacksOf } from './aws-stacks.ts';

/** Time limit of one AWS call with all its attempts, in milliseconds. */
const LIMIT = 60_000;
/** A removal takes long, so it should survive throttling and a short interruption of the network. */
const ATTEMPTS = 6;
/** Maximum number of names in one call of Auto Scaling. */
const MAX_GROUPS = 50;
/** Tag by which CloudFormation marks the resources of stacks. */
const OF_STACK = 'aws:cloudformation:stack-name';

/** Creates the `Account` of the credentials in the environment. */
export function createAccount(region: string): Account {
  const settings = { region, maxAttempts: ATTEMPTS };
  const identities = new STSClient(settings);
  const autoScaling = new AutoScalingClient(settings);
  const network = new EC2Client(settings);
  const tables = new DynamoDBClient(settings);
  const call = <Answer>(action: string, ask: () => Promise<Answer>) => bounded(action, LIMIT, ask);

  async function groupsNamed(names: readonly string[]) {
    const groups = new Map<string, readonly Instance[]>();
    const query = { AutoScalingGroupNames: [...names] };
    for await (const page of paginateDescribeAutoScalingGroups({ client: autoScaling }, query))
      for (const { AutoScalingGroupName: name = '', Instances = [] } of page.AutoScalingGroups ?? [])
        groups.set(
          name,
          Instances.map(({ InstanceId: id = '', InstanceType: type = '', LifecycleState: state = '' }) => ({
            id,
            type,
            state,
          })),
        );
    return groups;
  }

  async function interfacesIn(Filters: { Name: string; Values: string[] }[]): Promise<VpcBlocker[]> {
    const found: VpcBlocker[] = [];
    for await (const page of paginateDescribeNetworkInterfaces({ client: network }, { Filters }))
      for (const { NetworkInterfaceId: id = '', Description: description = '' } of page.NetworkInterfaces ?? [])
        found.push({ id, description });
    return found;
  }

  async function securityGroupsIn(Filters: { Name: string; Values: string[] }[]): Promise<VpcBlocker[]> {
    const found: VpcBlocker[] = [];
    for await (const page of paginateDescribeSecurityGroups({ client: network }, { Filters }))
      for (const { GroupId: id = '', GroupName: description = '', Tags = [] } of page.SecurityGroups ?? [])
        if (description !== 'default' && !Tags.some(({ Key }) => Key === OF_STACK)) found.push({ id, description });
    return found;
  }

  return {
    ...stacksOf(new CloudFormationClient(settings), call),

    accountId: () =>
      call('sts:GetCallerIdentity', async () => {
        const { Account: account = '' } = await identities.send(new GetCallerIdentityCommand());
        return account;
      }),

    instances: (names) =>
      call('autoscaling:DescribeAutoScalingGroups', async () => {
        const groups = new Map<string, readonly Instance[]>();
        for (let at = 0; at < names.length; at += MAX_GROUPS)
          for (const [name, its] of await groupsNamed(names.slice(at, at + MAX_GROUPS))) groups.set(name, its);
        return groups;
      }),

    async vpcBlockers(vpc) {
      const filters = [{ Name: 'vpc-id', Values: [vpc] }];
      return [
        ...(await call('ec2:DescribeNetworkInterfaces', () => interfacesIn(filters))),
        ...(await call('ec2:DescribeSecurityGroups', () => securityGroupsIn(filters))),
      ];
    },

    endpoints: (table) =>
      call('dynamodb:Scan', async () => {
        const endpoints = await createEndpoints(createDocumentClient(), table, systemClock).list();
        return endpoints.map(({ id, instanceGroup, counts }) => ({
          id,
          ...(instanceGroup !== undefined && { instanceGroup }),
          running: counts.inProgress,
          waiting: counts.inQueue,
        }));
      }),

    tableSize: (TableName) =>
      call('dynamodb:DescribeTable', async () => {
        const described = await undefinedIfNotFound('ResourceNotFoundException', () =>
          tables.send(new DescribeTableCommand({ TableName })),
        );
        if (described === undefined) return undefined;
        const { ItemCount: items = 0, TableSizeBytes: bytes = 0 } = described.Table ?? {};
        return { items, bytes };
      }),
  };
}
