/** The workers that live, in the history table: items `open#` and the id of the worker. */

import { DeleteCommand, type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../core/clock.ts';
import { type OpenWorkers, openWorkerSchema } from '../../core/history/open-worker.ts';
import { DAY, SECOND } from '../../core/limits.ts';
import { and, beginsWith, compare, queryExpression } from '../expressions.ts';
import { type HistoryTable, readAll } from './history.ts';

const PREFIX = 'open#';

/** Retention of a worker of which no event says that it has stopped. */
const KEPT = 7 * DAY;

export function createOpenWorkers(
  documents: DynamoDBDocumentClient,
  { table, days }: HistoryTable,
  clock: Clock,
): OpenWorkers {
  const keyOf = (endpoint: string, worker: string) => ({ endpoint, item: PREFIX + worker });

  return {
    isKept: days > 0,

    async save(worker) {
      const removeAfter = Math.ceil((clock.now() + KEPT) / SECOND);
      const Item = { ...worker, ...keyOf(worker.endpoint, worker.worker), removeAfter };
      await documents.send(new PutCommand({ TableName: table, Item }));
    },

    async remove(endpoint, worker) {
      await documents.send(new DeleteCommand({ TableName: table, Key: keyOf(endpoint, worker) }));
    },

    async list(endpoint) {
      const key = and(compare('endpoint', '=', endpoint), beginsWith('item', PREFIX));
      return readAll(documents, { TableName: table, ...queryExpression(key) }, openWorkerSchema);
    },
  };
}
