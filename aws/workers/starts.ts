/**
 * The starts of workers, in the workers table: one item per worker, in a partition beside the leases of the endpoint,
 * so that lists of leases do not read them.
 */

import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import {
  beginOf,
  type InstanceTimes,
  instanceSchema,
  STARTS_KEPT,
  type Starts,
  startSchema,
} from '../../core/fleet/start.ts';
import { SECOND } from '../../core/limits.ts';
import { INSTANCES_PARTITION, startsPartitionOf } from '../../core/workers/partitions.ts';
import { unlessRefused } from '../conditional-write.ts';
import { compare, conditionExpression, exists, notExists, or } from '../expressions.ts';
import { readItem, unlessNewer, valueIn } from '../readable.ts';

/** Returns when DynamoDB may remove the item of a start or an instance, in seconds since the epoch. */
const removeAfterOf = (begin: number): number => Math.ceil((begin + STARTS_KEPT) / SECOND);

/** Returns whether this service can have written the version. User code of the worker can write any value. */
const isVersion = (version: unknown): version is number =>
  Number.isSafeInteger(version) && Number(version) > 0 && version !== Number.MAX_SAFE_INTEGER;

/**
 * Returns the condition that the stored start has this version. A start that user code has written is replaced,
 * whatever its version is: reading such a number can change it, so only its existence is compared.
 */
function isUnchanged(version: unknown) {
  if (version === undefined) return notExists('version');
  return typeof version !== 'number' || isVersion(version) ? compare('version', '=', version) : exists('version');
}

export function createStarts(documents: DynamoDBDocumentClient, table: string): Starts {
  async function itemOf(partition: string, worker: string, consistent = false) {
    const Key = { endpoint: partition, worker };
    const { Item } = await documents.send(new GetCommand({ TableName: table, Key, ConsistentRead: consistent }));
    return Item;
  }

  async function readInstance(id: string): Promise<InstanceTimes | undefined> {
    const item = await itemOf(INSTANCES_PARTITION, id);
    return item && valueIn(readItem(instanceSchema, item));
  }

  /**
   * Returns the type and the times of an instance. ECS and EC2 know an instance by different ids, and their events can arrive after
   * all events of a task, so the times are only joined here.
   */
  async function instanceOf(id: string): Promise<Omit<InstanceTimes, 'id' | 'ec2'>> {
    const { ec2, type, registeredAt } = (await readInstance(id)) ?? {};
    const { launchedAt } = (ec2 === undefined ? undefined : await readInstance(ec2)) ?? {};
    return { type, launchedAt, registeredAt };
  }

  return {
    async read(endpoint, worker) {
      const item = await itemOf(startsPartitionOf(endpoint), worker);
      const start = item && valueIn(readItem(startSchema, item));
      return start?.instance === undefined ? start : { ...start, ...(await instanceOf(start.instance)) };
    },

    async readNow(endpoint, worker) {
      const item = await itemOf(startsPartitionOf(endpoint), worker, true);
      if (item && !unlessNewer(item)) return undefined;
      return { times: item && valueIn(readItem(startSchema, item)), version: item?.version };
    },

    write(endpoint, worker, times, { version }) {
      const put = new PutCommand({
        TableName: table,
        Item: {
          endpoint: startsPartitionOf(endpoint),
          worker,
          ...times,
          version: isVersion(version) ? version + 1 : 1,
          removeAfter: removeAfterOf(beginOf(times)),
        },
        ...conditionExpression(isUnchanged(version)),
      });
      return unlessRefused(documents.send(put));
    },

    async saveInstance({ id, ec2, type, launchedAt, registeredAt }) {
      const at = launchedAt ?? registeredAt;
      if (at === undefined) return;
      const removeAfter = removeAfterOf(at);
      const put = new PutCommand({
        TableName: table,
        Item: { endpoint: INSTANCES_PARTITION, worker: id, id, ec2, type, launchedAt, registeredAt, removeAfter },
        // An instance of a warm pool is launched several times. The registration never changes.
        ...conditionExpression(or(notExists('id'), compare('launchedAt', '<', at))),
      });
      await unlessRefused(documents.send(put));
    },
  };
}
