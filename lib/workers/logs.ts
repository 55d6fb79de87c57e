/** The log groups of workers, and the grant to search the log groups of all endpoints. */
import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { stackNameOf } from '../../core/deployment.ts';
import { acknowledgeGrant } from '../constructs/acknowledge.ts';
import { explain } from '../constructs/reasons.ts';
import { deploymentOf } from '../settings/settings.ts';

/**
 * Returns the pattern of the log groups of all workers of a deployment. CloudFormation derives their names from the
 * names of stack and construct. Endpoints are created and removed without a deployment of the stack that has the
 * reading function, so its policy can only name the groups by this pattern.
 */
const workerLogs = (deployment: string) => `log-group:${stackNameOf(deployment, 'Endpoint-*')}-WorkersLogs*`;

/**
 * Creates the group of one endpoint. `grantWorkerLogs` relies on the construct ids, which are parts of the group's
 * name.
 */
export const createWorkerLogs = (workers: Construct): LogGroup =>
  new LogGroup(workers, 'Logs', { retention: RetentionDays.ONE_MONTH, removalPolicy: RemovalPolicy.DESTROY });

/** Lets the role search the output of workers, and no other logs of the account. */
export function grantWorkerLogs(grantee: IGrantable & Construct): void {
  const { partition, region, account } = Stack.of(grantee);
  const groups = workerLogs(deploymentOf(grantee));
  const pattern = (of: string, at: string, by: string) => `arn:${of}:logs:${at}:${by}:${groups}`;
  Grant.addToPrincipal({
    grantee,
    actions: ['logs:FilterLogEvents'],
    resourceArns: [pattern(partition, region, account)],
  }).assertSuccess();
  const reason =
    'Searches the output of workers: of user containers and of agents. Endpoints are created and removed without the stack of this function, so it may search the log groups of all endpoints, by the names that CloudFormation gives them, and no other group.';
  explain(grantee, 'logs', ['FilterLogEvents'], 'log groups of workers', reason);
  acknowledgeGrant(grantee, {
    [`IAM5[Resource::${pattern('<AWS::Partition>', '<AWS::Region>', '<AWS::AccountId>')}]`]:
      'Endpoints are created and removed without this stack. The names of all other log groups differ from the pattern.',
  });
}
