/** The vault in AWS Secrets Manager, encrypted with the account's AWS managed key for Secrets Manager. */
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  DescribeSecretCommand,
  InvalidRequestException,
  PutSecretValueCommand,
  paginateListSecrets,
  ResourceExistsException,
  ResourceNotFoundException,
  RestoreSecretCommand,
  type SecretListEntry,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import {
  RECOVERY_DAYS,
  secretDeleted,
  secretExists,
  secretMissing,
  secretNameOf,
  type Vault,
  type VaultEntry,
} from '../../core/templates/vault.ts';
import { requestHandler } from '../request-handler.ts';

/** Descriptions of secrets in the console of Secrets Manager. */
const DESCRIPTIONS = {
  registryAuth: 'gpu-endpoints: credentials of a container registry, named by templates',
  env: 'gpu-endpoints: value of an environment variable, named by templates',
} as const;

/**
 * Calls Secrets Manager. If the secret is missing, exists or is being deleted, throws this project's error, without the
 * message of AWS.
 */
async function withSecretErrors<Result>(name: string, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ResourceNotFoundException) throw secretMissing(name);
    if (error instanceof ResourceExistsException) throw secretExists(name);
    // Secrets Manager has no error class for a secret that is scheduled for deletion.
    if (error instanceof InvalidRequestException && error.message.includes('deletion')) throw secretDeleted(name);
    throw error;
  }
}

function entryOf({ Name = '', CreatedDate, LastChangedDate }: SecretListEntry, folder: string): VaultEntry {
  const createdAt = CreatedDate?.getTime() ?? 0;
  return { name: Name.slice(folder.length), createdAt, changedAt: LastChangedDate?.getTime() ?? createdAt };
}

/**
 * Creates the vault of a deployment.
 * @param deployment name of the deployment that the secrets belong to
 */
export function createVault(deployment: string): Vault {
  const secrets = new SecretsManagerClient({ requestHandler: requestHandler('keys') });
  return {
    async find(kind, name) {
      try {
        const { ARN, DeletedDate } = await secrets.send(
          new DescribeSecretCommand({ SecretId: secretNameOf(deployment, kind, name) }),
        );
        return DeletedDate ? undefined : ARN;
      } catch (error) {
        if (error instanceof ResourceNotFoundException) return undefined;
        throw error;
      }
    },

    async list(kind) {
      // The prefix is checked here too, because `entryOf` would cut off the beginning of any other name.
      const folder = secretNameOf(deployment, kind, '');
      const entries: VaultEntry[] = [];
      const pages = paginateListSecrets(
        { client: secrets, pageSize: 100 },
        { Filters: [{ Key: 'name', Values: [folder] }] },
      );
      for await (const { SecretList = [] } of pages)
        entries.push(
          ...SecretList.filter(({ Name }) => Name?.startsWith(folder)).map((entry) => entryOf(entry, folder)),
        );
      return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
    },

    async create(kind, name, value) {
      const Description = DESCRIPTIONS[kind];
      const create = new CreateSecretCommand({
        Name: secretNameOf(deployment, kind, name),
        Description,
        SecretString: value,
      });
      await withSecretErrors(name, () => secrets.send(create));
    },

    async replace(kind, name, value) {
      const put = new PutSecretValueCommand({ SecretId: secretNameOf(deployment, kind, name), SecretString: value });
      await withSecretErrors(name, () => secrets.send(put));
    },

    async remove(kind, name) {
      const SecretId = secretNameOf(deployment, kind, name);
      const { DeletionDate } = await withSecretErrors(name, () =>
        secrets.send(new DeleteSecretCommand({ SecretId, RecoveryWindowInDays: RECOVERY_DAYS })),
      );
      if (!DeletionDate) throw new Error('Secrets Manager did not return a date of deletion.');
      return DeletionDate.getTime();
    },

    async restore(kind, name) {
      await withSecretErrors(name, () =>
        secrets.send(new RestoreSecretCommand({ SecretId: secretNameOf(deployment, kind, name) })),
      );
    },
  };
}
