/**
 * The signing table: one item for each endpoint, with the secrets that sign its webhooks, sealed together. Their
 * encryption context differs from the context of job secrets, so that workers, which can open job secrets, cannot
 * open the secrets of webhooks.
 */
import { randomBytes } from 'node:crypto';
import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../core/clock.ts';
import { WEBHOOK_SECRET_CACHE } from '../../core/limits.ts';
import {
  activeSecrets,
  newWebhookSecret,
  RotatedMeanwhile,
  rotateSecrets,
  type WebhookSecret,
  type WebhookSecrets,
  webhookSecretsSchema,
} from '../../core/webhooks/signing.ts';
import { createCache } from '../cache.ts';
import { unlessRefused } from '../conditional-write.ts';
import { compare, conditionExpression, notExists } from '../expressions.ts';
import { createSealing } from '../jobs/sealing.ts';

const contextOf = (endpoint: string) => ({ webhooksOf: endpoint });

interface Stored {
  /** Incremented by every write; 0 if nothing is stored. */
  readonly version: number;
  readonly secrets: readonly WebhookSecret[];
}

export function createWebhookSecrets(documents: DynamoDBDocumentClient, table: string, clock: Clock): WebhookSecrets {
  const sealing = createSealing();

  async function read(endpoint: string): Promise<Stored> {
    const get = new GetCommand({ TableName: table, Key: { endpoint }, ConsistentRead: true });
    const { Item } = await documents.send(get);
    if (!Item) return { version: 0, secrets: [] };
    const text = await sealing.open(contextOf(endpoint), String(Item.sealed));
    return { version: Number(Item.version), secrets: webhookSecretsSchema.parse(JSON.parse(text)) };
  }

  /**
   * Adds a secret to the stored secrets. If another writer was faster, returns the secrets that the other
   * writer has stored.
   */
  async function add(endpoint: string, { version, secrets }: Stored) {
    const next = rotateSecrets(secrets, newWebhookSecret(randomBytes(32)), clock.now());
    const sealed = await sealing.seal(contextOf(endpoint), JSON.stringify(next));
    const put = new PutCommand({
      TableName: table,
      Item: { endpoint, version: version + 1, sealed },
      ...conditionExpression(version === 0 ? notExists('endpoint') : compare('version', '=', version)),
    });
    if (await unlessRefused(documents.send(put))) return { isStored: true, secrets: next };
    const stored = await read(endpoint);
    // If the response to an earlier attempt of the SDK was lost, that attempt was the other writer.
    return { isStored: stored.secrets[0]?.secret === next[0]?.secret, secrets: stored.secrets };
  }

  /** Returns all stored secrets. The first call creates the first secret. */
  async function load(endpoint: string): Promise<readonly WebhookSecret[]> {
    const stored = await read(endpoint);
    return stored.version > 0 ? stored.secrets : (await add(endpoint, stored)).secrets;
  }

  const loadLately = createCache(clock, WEBHOOK_SECRET_CACHE, load);

  return {
    async current(endpoint) {
      return activeSecrets(await loadLately(endpoint), clock.now()).map(({ secret }) => secret);
    },

    currentNow: async (endpoint) => activeSecrets(await load(endpoint), clock.now()),

    async rotate(endpoint) {
      const { isStored, secrets } = await add(endpoint, await read(endpoint));
      if (!isStored) throw new RotatedMeanwhile(endpoint);
      return secrets;
    },
  };
}
