/**
 * The deliveries table. Each delivery has one small item, written by conditional updates. A failed delivery has a
 * second item in the list of its endpoint's failures.
 */

import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { DeliveryKey } from '../../core/jobs/delivery-key.ts';
import { partitionOf } from '../../core/jobs/id.ts';
import { webhookAttempts } from '../../core/limits.ts';
import { type Delivery, deliverySchema, notAttempted } from '../../core/webhooks/delivery.ts';
import type { Deliveries, Failure } from '../../core/webhooks/store.ts';
import { refusalIn, unlessRefused } from '../conditional-write.ts';

export const deliveryKeyOf = (key: DeliveryKey) => ({
  partition: partitionOf(key),
  delivery: `${key.id}#${key.completion}`,
});

const failuresOf = (endpoint: string) => `${endpoint}#failed`;
/** Milliseconds since the epoch have 13 digits until the year 2286, so that strings sort like times. */
const failureKey = ({ endpoint, id, completion }: DeliveryKey, failedAt: number) => ({
  partition: failuresOf(endpoint),
  delivery: `${failedAt}#${id}#${completion}`,
});

function failureFrom(endpoint: string, { delivery }: Record<string, unknown>): Failure {
  const [failedAt, id = '', completion] = String(delivery).split('#');
  return { endpoint, id, completion: Number(completion), failedAt: Number(failedAt) };
}

export const deliveryFrom = (item: Record<string, unknown>): Delivery => deliverySchema.parse(item);

/** Returns aliases for fields whose names are or might become reserved words of DynamoDB. */
const alias = (...fields: string[]) => Object.fromEntries(fields.map((field) => [`#${field}`, field]));

const IS_FREE = '(attribute_not_exists(leaseEnds) OR leaseEnds <= :now)';

export function createDeliveries(documents: DynamoDBDocumentClient, table: string): Deliveries {
  async function read(key: DeliveryKey, when: 'now' | 'lately'): Promise<Delivery | undefined> {
    const get = new GetCommand({ TableName: table, Key: deliveryKeyOf(key), ConsistentRead: when === 'now' });
    const { Item } = await documents.send(get);
    return Item && deliveryFrom(Item);
  }

  /**
   * Adds a failure to the list of its endpoint. Called before the state FAILED is written, because readers of the list
   * skip deliveries in any other state.
   */
  const list = (key: DeliveryKey, failedAt: number, removeAfter: number) =>
    documents.send(new PutCommand({ TableName: table, Item: { ...failureKey(key, failedAt), removeAfter } }));

  return {
    read,

    async claim(key, { call, turn, turnBefore = '', now, leaseEnds, removeAfter }) {
      const update = new UpdateCommand({
        TableName: table,
        Key: deliveryKeyOf(key),
        UpdateExpression:
          'SET #state = :pending, #attempts = if_not_exists(#attempts, :none) + :one, ' +
          '#round = if_not_exists(#round, :none), ' +
          '#call = :call, #turn = :turn, leaseEnds = :leaseEnds, removeAfter = :removeAfter',
        ConditionExpression:
          'attribute_not_exists(#state) OR ' +
          `(#state = :pending AND #attempts < :tries AND (${IS_FREE} OR #turn = :turnBefore))`,
        ExpressionAttributeNames: alias('state', 'attempts', 'round', 'call', 'turn'),
        ExpressionAttributeValues: {
          ':pending': 'PENDING',
          ':none': 0,
          ':one': 1,
          ':tries': webhookAttempts.max,
          ':call': call,
          ':turn': turn,
          ':turnBefore': turnBefore,
          ':now': now,
          ':leaseEnds': leaseEnds,
          ':removeAfter': removeAfter,
        },
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      try {
        const { Attributes } = await documents.send(update);
        return { claimed: true, delivery: deliveryFrom(Attributes ?? {}) };
      } catch (error) {
        const { item, repeated } = refusalIn(error);
        // An earlier attempt of the SDK might have claimed the delivery, and its response was lost.
        return { claimed: repeated && item?.call === call, delivery: item ? deliveryFrom(item) : notAttempted };
      }
    },

    async saveOutcome(key, { call, removeAfter }, outcome, now) {
      const { state, lastStatus } = outcome;
      const lastError = 'lastError' in outcome ? outcome.lastError : undefined;
      const failedAt = state === 'FAILED' ? now : undefined;
      if (failedAt !== undefined) await list(key, failedAt, removeAfter);
      const facts = Object.entries({ state, lastStatus, lastError, failedAt });
      const [known, unknown] = [
        facts.filter(([, fact]) => fact !== undefined),
        facts.filter(([, fact]) => fact === undefined),
      ];
      const isLast = state !== 'PENDING';
      const update = new UpdateCommand({
        TableName: table,
        Key: deliveryKeyOf(key),
        UpdateExpression:
          `SET ${known.map(([name]) => `#${name} = :${name}`).join(', ')} ` +
          `REMOVE ${[...unknown.map(([name]) => `#${name}`), ...(isLast ? ['leaseEnds'] : [])].join(', ')}`,
        ConditionExpression: state === 'DELIVERED' ? 'attribute_exists(#state)' : '#state = :pending AND #call = :call',
        ExpressionAttributeNames: alias(...facts.map(([name]) => name), ...(state === 'DELIVERED' ? [] : ['call'])),
        ExpressionAttributeValues: {
          ...Object.fromEntries(known.map(([name, fact]) => [`:${name}`, fact])),
          ...(state !== 'DELIVERED' && { ':pending': 'PENDING', ':call': call }),
        },
      });
      await unlessRefused(documents.send(update));
    },

    async giveUp(key, lastError, now, removeAfter) {
      await list(key, now, removeAfter);
      const update = new UpdateCommand({
        TableName: table,
        Key: deliveryKeyOf(key),
        UpdateExpression:
          'SET #state = :failed, lastError = :lastError, failedAt = :now, #attempts = if_not_exists(#attempts, :none), ' +
          '#round = if_not_exists(#round, :none), removeAfter = if_not_exists(removeAfter, :removeAfter) ' +
          'REMOVE leaseEnds, lastStatus',
        ConditionExpression: `attribute_not_exists(#state) OR (#state = :pending AND ${IS_FREE})`,
        ExpressionAttributeNames: alias('state', 'attempts', 'round'),
        ExpressionAttributeValues: {
          ':failed': 'FAILED',
          ':pending': 'PENDING',
          ':lastError': lastError,
          ':now': now,
          ':none': 0,
          ':removeAfter': removeAfter,
        },
      });
      return unlessRefused(documents.send(update));
    },

    async keep(key, job, removeAfter) {
      const update = new UpdateCommand({
        TableName: table,
        Key: deliveryKeyOf(key),
        UpdateExpression:
          'SET #job = :job, #state = if_not_exists(#state, :pending), #attempts = if_not_exists(#attempts, :none), ' +
          '#round = if_not_exists(#round, :none), removeAfter = if_not_exists(removeAfter, :removeAfter)',
        ConditionExpression: 'attribute_not_exists(#state) OR #state <> :delivered',
        ExpressionAttributeNames: alias('job', 'state', 'attempts', 'round'),
        ExpressionAttributeValues: {
          ':job': job,
          ':pending': 'PENDING',
          ':delivered': 'DELIVERED',
          ':none': 0,
          ':removeAfter': removeAfter,
        },
      });
      await unlessRefused(documents.send(update));
    },

    async reopen(key) {
      const { failedAt } = (await read(key, 'now')) ?? notAttempted;
      if (failedAt === undefined) return false;
      const update = new UpdateCommand({
        TableName: table,
        Key: deliveryKeyOf(key),
        UpdateExpression:
          'SET #state = :pending, #attempts = :none, #round = #round + :one REMOVE leaseEnds, failedAt, #turn, #call',
        ConditionExpression: '#state = :failed AND failedAt = :failedAt',
        ExpressionAttributeNames: alias('state', 'attempts', 'round', 'turn', 'call'),
        ExpressionAttributeValues: {
          ':pending': 'PENDING',
          ':failed': 'FAILED',
          ':failedAt': failedAt,
          ':none': 0,
          ':one': 1,
        },
      });
      if (!(await unlessRefused(documents.send(update)))) return false;
      await documents.send(new DeleteCommand({ TableName: table, Key: failureKey(key, failedAt) }));
      return true;
    },

    async *failures(endpoint, before) {
      const query = {
        TableName: table,
        KeyConditionExpression: `#partition = :partition${before ? ' AND #delivery < :before' : ''}`,
        ExpressionAttributeNames: alias('partition', ...(before ? ['delivery'] : [])),
        ExpressionAttributeValues: {
          ':partition': failuresOf(endpoint),
          ...(before && { ':before': failureKey(before, before.failedAt).delivery }),
        },
        ScanIndexForward: false,
      };
      for await (const { Items = [] } of paginateQuery({ client: documents, pageSize: 100 }, query))
        yield* Items.map((item) => failureFrom(endpoint, item));
    },
  };
}
