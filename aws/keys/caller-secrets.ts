/**
 * Secrets of the keys of functions in AWS Secrets Manager. The description of a secret contains the hash of its key, so
 * that a key can be stored and revoked without permission to read a secret.
 */
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  DescribeSecretCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import type { CallerSecret, CallerSecrets } from '../../core/keys/caller-keys.ts';
import { hashOf } from '../../core/keys/client-keys.ts';
import { requestHandler } from '../request-handler.ts';

const DESCRIPTION = 'gpu-endpoints: client key of a function. Do not change this description. SHA-256 of the key: ';

const HASH = /^[0-9a-f]{64}$/;

function hashIn(name: string, description = ''): string {
  const hash = description.slice(DESCRIPTION.length);
  if (description.startsWith(DESCRIPTION) && HASH.test(hash)) return hash;
  throw new Error(
    `The description of the secret ${name} must end with the hash of its key, got ${JSON.stringify(description)}. Revoke the key with \`npx gpu-endpoints keys revoke\`, delete the secret without a recovery window, and deploy again.`,
  );
}

export function createCallerSecrets(): CallerSecrets {
  const secrets = new SecretsManagerClient({ requestHandler: requestHandler('keys') });

  /** Returns undefined for a secret that does not exist. */
  async function unlessMissing<Result>(call: Promise<Result>): Promise<Result | undefined> {
    try {
      return await call;
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    }
  }

  async function find(name: string): Promise<CallerSecret | undefined> {
    const found = await unlessMissing(secrets.send(new DescribeSecretCommand({ SecretId: name })));
    return found && { arn: String(found.ARN), hash: hashIn(name, found.Description) };
  }

  return {
    find,

    async create(name, secret) {
      const hash = hashOf(secret);
      const create = new CreateSecretCommand({
        Name: name,
        Description: `${DESCRIPTION}${hash}`,
        SecretString: secret,
      });
      try {
        const { ARN } = await secrets.send(create);
        return { arn: String(ARN), hash };
      } catch (error) {
        const existing = error instanceof ResourceExistsException ? await find(name) : undefined;
        if (existing) return existing;
        throw error;
      }
    },

    async remove(name) {
      await unlessMissing(secrets.send(new DeleteSecretCommand({ SecretId: name, ForceDeleteWithoutRecovery: true })));
    },
  };
}
