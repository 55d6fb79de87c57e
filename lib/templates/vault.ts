/** Grants for images and secrets that templates name. Templates can name them long after the stacks are deployed. */
import { Stack } from 'aws-cdk-lib';
import { Grant, type IRole } from 'aws-cdk-lib/aws-iam';
import { secretNameOf, type VaultKind } from '../../core/templates/vault.ts';
import { acknowledgeGrant } from '../constructs/acknowledge.ts';
import type { ServiceFunction } from '../constructs/function.ts';
import { explain, type Reason } from '../constructs/reasons.ts';
import { deploymentOf } from '../settings/settings.ts';
import { grantImages } from './image-repositories.ts';

/** Names of the secrets of each kind in `docs/reference/permissions.md`. */
const secretNames: Readonly<Record<VaultKind, string>> = {
  env: 'secrets of variables',
  registryAuth: 'logins of registries',
};

const readsSecrets: Readonly<Record<VaultKind, string>> = {
  env: 'Sets the variables whose value in the template is `{{secrets:NAME}}`. Templates name secrets at run time, so the permission covers all secrets of this kind, and no other secret.',
  registryAuth: 'Logs in to the registry that the template names by its `containerRegistryAuthId`.',
};

function grant(grantee: IRole, actions: readonly string[], resourceArns: string[]): void {
  Grant.addToPrincipal({ grantee, actions: [...actions], resourceArns }).assertSuccess();
}

/** Lets the role read the secrets that templates can name: all secrets of a kind, and no others. */
function grantSecrets(executionRole: IRole, kind: VaultKind): void {
  const deployment = deploymentOf(executionRole);
  const arnOf = (partition: string, region: string, account: string) =>
    `arn:${partition}:secretsmanager:${region}:${account}:secret:${secretNameOf(deployment, kind, '*')}`;
  const { partition, region, account } = Stack.of(executionRole);
  grant(executionRole, ['secretsmanager:GetSecretValue'], [arnOf(partition, region, account)]);
  explain(executionRole, 'secretsmanager', ['GetSecretValue'], secretNames[kind], readsSecrets[kind]);
  acknowledgeGrant(executionRole, {
    [`IAM5[Resource::${arnOf('<AWS::Partition>', '<AWS::Region>', '<AWS::AccountId>')}]`]:
      'Templates name secrets at run time; the names of all other secrets of the account differ from the pattern.',
  });
}

/** Lets ECS start a worker of any template: pull its image, log in to its registry, and read its secrets. */
export function grantResolve(executionRole: IRole): void {
  grantSecrets(executionRole, 'registryAuth');
  grantSecrets(executionRole, 'env');
  grantImages(executionRole);
}

/**
 * Lets the client check whether the secrets that templates name exist, and find their ARNs, without permission to
 * read them.
 */
export function grantVaultLookup(grantee: ServiceFunction, reason: Reason): void {
  const deployment = deploymentOf(grantee);
  const { partition, region, account } = Stack.of(grantee);
  for (const kind of ['registryAuth', 'env'] as const) {
    const arnIn = (...[its, where, whose]: readonly string[]) =>
      `arn:${its}:secretsmanager:${where}:${whose}:secret:${secretNameOf(deployment, kind, '*')}`;
    const resourceArns = [arnIn(partition, region, account)];
    Grant.addToPrincipal({ grantee, actions: ['secretsmanager:DescribeSecret'], resourceArns }).assertSuccess();
    explain(grantee, 'secretsmanager', ['DescribeSecret'], secretNames[kind], reason);
    acknowledgeGrant(grantee, {
      [`IAM5[Resource::${arnIn('<AWS::Partition>', '<AWS::Region>', '<AWS::AccountId>')}]`]:
        'Templates name secrets at run time; the names of all other secrets of the account differ from the pattern.',
    });
  }
}
