import { Stack } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { secretNameOf } from '../core/templates/vault.ts';
import { acknowledgeGrant } from './checks.ts';
import { deploymentOf } from './deployment-name.ts';
import type { ServiceFunction } from './function.ts';

/** To see whether what templates name is in the vault, and where; not to read it. */
export function grantVaultLookup(grantee: ServiceFunction): void {
  const deployment = deploymentOf(grantee);
  const { partition, region, account } = Stack.of(grantee);
  for (const kind of ['registryAuth', 'env'] as const) {
    const arnIn = (...[its, where, whose]: readonly string[]) =>
      `arn:${its}:secretsmanager:${where}:${whose}:secret:${secretNameOf(deployment, kind, '*')}`;
    const resourceArns = [arnIn(partition, region, account)];
    Grant.addToPrincipal({ grantee, actions: ['secretsmanager:DescribeSecret'], resourceArns }).assertSuccess();
    acknowledgeGrant(grantee, {
      [`IAM5[Resource::${arnIn('<AWS::Partition>', '<AWS::Region>', '<AWS::AccountId>')}]`]:
        'Templates name secrets at run time; nothing else of the account has such a name.',
    });
  }
}
