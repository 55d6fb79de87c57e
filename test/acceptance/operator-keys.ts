/** Creates API keys in the deployment of `npm start`, as its operator does. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createKeys } from '../../aws/keys/keys.ts';
import { systemClock } from '../../core/clock.ts';
import { createKey, hashOf, type KeyGrant, newSecret } from '../../core/keys/client-keys.ts';
import { operatorSettings } from './operator.ts';

/** Returns a client of DynamoDB with the operator's permissions. */
export function operatorDocuments(stateDir: string): DynamoDBDocumentClient {
  const { region, endpoint, credentials } = operatorSettings(stateDir);
  return DynamoDBDocumentClient.from(new DynamoDBClient({ region, credentials, endpoint }));
}

function keysTableOf(stateDir: string): string {
  const outputs = readFileSync(join(stateDir, 'outputs.json'), 'utf8');
  return (JSON.parse(outputs) as { Platform: { KeysTable: string } }).Platform.KeysTable;
}

const random = () => crypto.getRandomValues(new Uint8Array(64));

/** Returns the secret of a key that was never created. */
export const unknownSecret = (): string => newSecret(random());

/** Owner of the keys of an attacker. */
export const ATTACKER = 'attacker';

export interface OperatorKeys {
  /**
   * Creates a key of the owner `ATTACKER` without permissions, except those of the grant.
   * @returns its secret
   */
  make(name: string, grant: Partial<KeyGrant>): Promise<string>;
  revoke(secret: string): Promise<void>;
}

export function operatorKeys(documents: DynamoDBDocumentClient, stateDir: string): OperatorKeys {
  const ports = { clock: systemClock, keys: createKeys(documents, keysTableOf(stateDir), systemClock) };
  const nothing = { owner: ATTACKER, endpoints: [], operations: [], scopes: [] };
  return {
    make: async (name, grant) => (await createKey(ports, { name, ...nothing, ...grant }, random())).secret,
    revoke: (secret) => ports.keys.remove(hashOf(secret)),
  };
}
