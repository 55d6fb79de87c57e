/** Grants for images and secrets that templates name. Templates can name them long after the stacks are deployed. */
import type { IRole } from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';
import { secretNameOf, type VaultKind } from '../../core/templates/vault.ts';
import type { ServiceFunction } from '../constructs/function.ts';
import type { Reason } from '../constructs/reasons.ts';
import { grantSecrets, type NamedSecrets } from '../constructs/secret-grants.ts';
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

/** Returns the secrets of a kind that templates can name. */
const secretsOf = (kind: VaultKind, scope: IConstruct): NamedSecrets => ({
  names: secretNameOf(deploymentOf(scope), kind, '*'),
  shownAs: secretNames[kind],
  unknown: 'Templates name secrets at run time',
});

/** Lets ECS start a worker of any template: pull its image, log in to its registry, and read its secrets. */
export function grantResolve(executionRole: IRole): void {
  for (const kind of ['registryAuth', 'env'] as const)
    grantSecrets(executionRole, ['GetSecretValue'], secretsOf(kind, executionRole), readsSecrets[kind]);
  grantImages(executionRole);
}

/**
 * Lets the client check whether the secrets that templates name exist, and find their ARNs, without permission to
 * read them.
 */
export function grantVaultLookup(grantee: ServiceFunction, reason: Reason): void {
  for (const kind of ['registryAuth', 'env'] as const)
    grantSecrets(grantee, ['DescribeSecret'], secretsOf(kind, grantee), reason);
}
