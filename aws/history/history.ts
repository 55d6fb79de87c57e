/**
 * The history table: items below the id of their endpoint, sorted by kind and time: `job#`, `attempt#`, `delivery#`,
 * `worker#` and `event#`, the time and an id. It has no index.
 */
import {
  BatchWriteCommand,
  type DynamoDBDocumentClient,
  paginateQuery,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { ZodMiniType } from 'zod/mini';
import type { Clock } from '../../core/clock.ts';
import { endedAttemptSchema } from '../../core/history/ended-attempt.ts';
import { endedDeliverySchema } from '../../core/history/ended-delivery.ts';
import { endedJobSchema, lateJobSchema } from '../../core/history/ended-job.ts';
import { endedWorkerSchema } from '../../core/history/ended-worker.ts';
import { endpointEventSchema } from '../../core/history/event.ts';
import { ROWS_PER_WRITE } from '../../core/history/limits.ts';
import {
  type AttemptHistory,
  type DeliveryHistory,
  type EventHistory,
  type HistoryOf,
  type HistoryPosition,
  type JobHistory,
  type LateJobHistory,
  positionAt,
  positionOf,
  positionOfEvent,
  timeOf,
  type WorkerHistory,
} from '../../core/history/store.ts';
import { DAY, SECOND } from '../../core/limits.ts';
import { and, between, compare, queryExpression } from '../expressions.ts';
import { readItem, valueIn } from '../readable.ts';

type Item = Readonly<Record<string, unknown>>;

/** Attempts to write rows that DynamoDB does not process, and the pause before each repetition in ms. */
const RETRIES = { times: 5, after: SECOND / 5 } as const;

/** A table with the retention of its rows in days; 0 if the deployment keeps no history. */
export interface HistoryTable {
  readonly table: string;
  readonly days: number;
}

const rowsIn = <Row>(schema: ZodMiniType<Row>, items: readonly Item[]): Row[] =>
  items.flatMap((item) => valueIn(readItem(schema, item)) ?? []);

/** Returns the valid rows of all pages of a query. */
export async function readAll<Row>(
  documents: DynamoDBDocumentClient,
  query: QueryCommandInput,
  schema: ZodMiniType<Row>,
): Promise<Row[]> {
  const pages = await Array.fromAsync(paginateQuery({ client: documents }, query));
  return rowsIn(
    schema,
    pages.flatMap(({ Items = [] }) => Items),
  );
}

interface Kind<Row> {
  readonly prefix: string;
  readonly schema: ZodMiniType<Row>;
  readonly positionOf: (row: Row) => HistoryPosition;
}

function createRows<Row extends { readonly endpoint: string }>(
  documents: DynamoDBDocumentClient,
  { table, days }: HistoryTable,
  clock: Clock,
  { prefix, schema, positionOf: position }: Kind<Row>,
): HistoryOf<Row> {
  function itemOf(row: Row): Item {
    const at = position(row);
    return { ...row, item: prefix + at, removeAfter: Math.ceil((timeOf(at) + days * DAY) / SECOND) };
  }

  async function write(items: readonly Item[]): Promise<void> {
    let left = items;
    for (let times = 0; times < RETRIES.times; times += 1) {
      if (times > 0) await clock.pause(RETRIES.after * times);
      const puts = left.map((Item) => ({ PutRequest: { Item } }));
      const { UnprocessedItems = {} } = await documents.send(
        new BatchWriteCommand({ RequestItems: { [table]: puts } }),
      );
      left = (UnprocessedItems[table] ?? []).flatMap(({ PutRequest }) => (PutRequest?.Item ? [PutRequest.Item] : []));
      if (left.length === 0) return;
    }
    throw new Error(`DynamoDB did not store ${left.length} rows of the history in ${RETRIES.times} attempts.`);
  }

  return {
    isKept: days > 0,

    async save(rows) {
      // A batch must not contain a key twice.
      const items = [...new Map(rows.map((row) => [`${row.endpoint} ${position(row)}`, itemOf(row)])).values()];
      for (let n = 0; n < items.length; n += ROWS_PER_WRITE) await write(items.slice(n, n + ROWS_PER_WRITE));
    },

    async read({ endpoint, after, before, isOldestFirst, max, isConsistent = false }) {
      const [first, last] = [prefix + after, prefix + before];
      const key = and(compare('endpoint', '=', endpoint), between('item', first, last));
      const query = {
        TableName: table,
        ...queryExpression(key),
        ScanIndexForward: isOldestFirst,
        ConsistentRead: isConsistent,
      };
      const items: Item[] = [];
      let isAll = true;
      for await (const page of paginateQuery({ client: documents, pageSize: max + 1 }, query)) {
        // `between` includes both ends of the range.
        items.push(...(page.Items ?? []).filter(({ item }) => item !== first && item !== last));
        isAll = page.LastEvaluatedKey === undefined;
        if (items.length > max) break;
      }
      const read = items.slice(0, max);
      return {
        rows: rowsIn(schema, read),
        ...(!(isAll && items.length <= max) && { reached: String(read.at(-1)?.item).slice(prefix.length) }),
      };
    },
  };
}

export const createJobHistory = (documents: DynamoDBDocumentClient, table: HistoryTable, clock: Clock): JobHistory =>
  createRows(documents, table, clock, { prefix: 'job#', schema: endedJobSchema, positionOf });

export const createAttemptHistory = (
  documents: DynamoDBDocumentClient,
  table: HistoryTable,
  clock: Clock,
): AttemptHistory =>
  createRows(documents, table, clock, {
    prefix: 'attempt#',
    schema: endedAttemptSchema,
    positionOf: ({ endedAt, id, attempt }) => `${positionAt(endedAt)}${id}#${attempt}`,
  });

export const createLateJobHistory = (
  documents: DynamoDBDocumentClient,
  table: HistoryTable,
  clock: Clock,
): LateJobHistory =>
  createRows(documents, table, clock, {
    prefix: 'late#',
    schema: lateJobSchema,
    positionOf: ({ storedAt, id }) => positionAt(storedAt) + id,
  });

export const createWorkerHistory = (
  documents: DynamoDBDocumentClient,
  table: HistoryTable,
  clock: Clock,
): WorkerHistory =>
  createRows(documents, table, clock, {
    prefix: 'worker#',
    schema: endedWorkerSchema,
    positionOf: ({ endedAt, worker }) => positionAt(endedAt) + worker,
  });

/** Stores a row, if rows are kept. A failure is logged, because what the row describes has already happened. */
async function addOrLog<Row>(rows: HistoryOf<Row>, row: Row, message: string, about: object): Promise<void> {
  if (!rows.isKept) return;
  try {
    await rows.save([row]);
  } catch (error) {
    console.error({ message, ...about, error: String(error) });
  }
}

export function createEventHistory(documents: DynamoDBDocumentClient, table: HistoryTable, clock: Clock): EventHistory {
  const events = createRows(documents, table, clock, {
    prefix: 'event#',
    schema: endpointEventSchema,
    positionOf: positionOfEvent,
  });
  return {
    read: events.read,
    add: async (event) => {
      const { endpoint, kind } = event;
      await addOrLog(events, event, 'An event was not stored.', { endpoint, kind });
    },
  };
}

export function createDeliveryHistory(
  documents: DynamoDBDocumentClient,
  table: HistoryTable,
  clock: Clock,
): DeliveryHistory {
  const rows = createRows(documents, table, clock, {
    prefix: 'delivery#',
    schema: endedDeliverySchema,
    positionOf: ({ endedAt, id, completion, attempt }) => `${positionAt(endedAt)}${id}#${completion}#${attempt}`,
  });
  return {
    isKept: rows.isKept,
    read: rows.read,
    add: async (row) => {
      const { endpoint, id } = row;
      await addOrLog(rows, row, 'The call of a webhook was not stored for its span.', { endpoint, id });
    },
  };
}
