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
import {
  and,
  compare,
  exists,
  ifNotExists,
  notExists,
  or,
  plus,
  queryExpression,
  updateExpression,
} from '../expressions.ts';

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

const isPending = compare('state', '=', 'PENDING');
const isFree = (now: number) => or(notExists('leaseEnds'), compare('leaseEnds', '<=', now));

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

    async claim(key, { call, turn, earlierTurns, now, leaseEnds, removeAfter }) {
      const update = new UpdateCommand({
        TableName: table,
        Key: deliveryKeyOf(key),
        ...updateExpression({
          set: {
            state: 'PENDING',
            attempts: plus(ifNotExists('attempts', 0), 1),
            round: ifNotExists('round', 0),
            call,
            turn,
            leaseEnds,
            removeAfter,
          },
          condition: or(
            notExists('state'),
            and(
              isPending,
              compare('attempts', '<', webhookAttempts.max),
              or(isFree(now), ...earlierTurns.map((earlier) => compare('turn', '=', earlier))),
            ),
          ),
        }),
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
      const { lastError, receiver } = 'lastError' in outcome ? outcome : {};
      const failedAt = state === 'FAILED' ? now : undefined;
      if (failedAt !== undefined) await list(key, failedAt, removeAfter);
      const update = new UpdateCommand({
        TableName: table,
        Key: deliveryKeyOf(key),
        ...updateExpression({
          set: { state, lastStatus, lastError, receiver, failedAt },
          remove: state === 'PENDING' ? [] : ['leaseEnds'],
          condition: state === 'DELIVERED' ? exists('state') : and(isPending, compare('call', '=', call)),
        }),
      });
      await unlessRefused(documents.send(update));
    },

    async giveUp(key, lastError, now, removeAfter) {
      await list(key, now, removeAfter);
      const update = new UpdateCommand({
        TableName: table,
        Key: deliveryKeyOf(key),
        ...updateExpression({
          set: {
            state: 'FAILED',
            lastError,
            failedAt: now,
            attempts: ifNotExists('attempts', 0),
            round: ifNotExists('round', 0),
            removeAfter: ifNotExists('removeAfter', removeAfter),
          },
          remove: ['leaseEnds', 'lastStatus'],
          condition: or(notExists('state'), and(isPending, isFree(now))),
        }),
      });
      return unlessRefused(documents.send(update));
    },

    async keep(key, job, removeAfter) {
      const update = new UpdateCommand({
        TableName: table,
        Key: deliveryKeyOf(key),
        ...updateExpression({
          set: {
            job,
            state: ifNotExists('state', 'PENDING'),
            attempts: ifNotExists('attempts', 0),
            round: ifNotExists('round', 0),
            removeAfter: ifNotExists('removeAfter', removeAfter),
          },
          condition: or(notExists('state'), compare('state', '<>', 'DELIVERED')),
        }),
      });
      await unlessRefused(documents.send(update));
    },

    async reopen(key) {
      const { failedAt } = (await read(key, 'now')) ?? notAttempted;
      if (failedAt === undefined) return false;
      const update = new UpdateCommand({
        TableName: table,
        Key: deliveryKeyOf(key),
        ...updateExpression({
          set: { state: 'PENDING', attempts: 0, round: plus('round', 1) },
          remove: ['leaseEnds', 'failedAt', 'turn', 'call'],
          condition: and(compare('state', '=', 'FAILED'), compare('failedAt', '=', failedAt)),
        }),
      });
      if (!(await unlessRefused(documents.send(update)))) return false;
      await documents.send(new DeleteCommand({ TableName: table, Key: failureKey(key, failedAt) }));
      return true;
    },

    async *failures(endpoint, before) {
      const ofEndpoint = compare('partition', '=', failuresOf(endpoint));
      const older = before && compare('delivery', '<', failureKey(before, before.failedAt).delivery);
      const query = {
        TableName: table,
        ...queryExpression(older ? and(ofEndpoint, older) : ofEndpoint),
        ScanIndexForward: false,
      };
      for await (const { Items = [] } of paginateQuery({ client: documents, pageSize: 100 }, query))
        yield* Items.map((item) => failureFrom(endpoint, item));
    },
  };
}
