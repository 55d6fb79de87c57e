/** The grant to list the alarms of the account. */
import { Stack } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { acknowledgeGrant } from '../constructs/acknowledge.ts';
import type { ServiceFunction } from '../constructs/function.ts';
import { explain } from '../constructs/reasons.ts';

/** Lets the function list alarms. */
export function grantAlarms(grantee: ServiceFunction): void {
  const { partition, region, account } = Stack.of(grantee);
  const arnIn = (of: string, at: string, by: string) => `arn:${of}:cloudwatch:${at}:${by}:alarm:*`;
  const actions = ['cloudwatch:DescribeAlarms'];
  Grant.addToPrincipal({ grantee, actions, resourceArns: [arnIn(partition, region, account)] }).assertSuccess();
  explain(
    grantee,
    'cloudwatch',
    ['DescribeAlarms'],
    'alarms of the account',
    'Lists the alarms. IAM checks a list of alarms against all alarms of the account and Region.',
  );
  acknowledgeGrant(grantee, {
    [`IAM5[Resource::${arnIn('<AWS::Partition>', '<AWS::Region>', '<AWS::AccountId>')}]`]:
      'IAM checks a list of alarms against all alarms. The function asks for those of its deployment.',
  });
}
