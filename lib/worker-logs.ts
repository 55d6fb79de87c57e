/** Where the lines of workers go, and who may read those of all endpoints. */
import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { acknowledge } from './checks.ts';

/**
 * The log groups of the workers of all endpoints: CloudFormation makes the name of one out of that of the stack and of
 * the construct. Endpoints come and go without the stack of whoever reads them, so it can name them by that alone.
 */
const WORKER_LOGS = 'log-group:Endpoint-*-WorkersLogs*';

/** The group of one endpoint. Its name holds the ids of both constructs: `grantWorkerLogs` goes by them. */
export const createWorkerLogs = (workers: Construct): LogGroup =>
  new LogGroup(workers, 'Logs', { retention: RetentionDays.ONE_MONTH, removalPolicy: RemovalPolicy.DESTROY });

/** To search what workers print, and nothing that functions or anything else of the account log. */
export function grantWorkerLogs(grantee: IGrantable & Construct): void {
  const { partition, region, account } = Stack.of(grantee);
  const pattern = (of: string, at: string, by: string) => `arn:${of}:logs:${at}:${by}:${WORKER_LOGS}`;
  Grant.addToPrincipal({
    grantee,
    actions: ['logs:FilterLogEvents'],
    resourceArns: [pattern(partition, region, account)],
  }).assertSuccess();
  acknowledge(grantee.node.root, {
    [`IAM5[Resource::${pattern('<AWS::Partition>', '<AWS::Region>', '<AWS::AccountId>')}]`]:
      'Endpoints come and go without this stack; no other log group has such a name.',
  });
}
