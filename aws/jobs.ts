/** The jobs table: one hot item per job, at most 1 KB, read strongly and written by conditional updates only. */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../core/clock.ts';
import type { Job, JobKey } from '../core/jobs/job.ts';
import { permitsByFacts } from '../core/jobs/machine.ts';
import { partitionOf, partitionsOf } from '../core/jobs/partition.ts';
import type { Jobs } from '../core/world.ts';
import { compile, refusalIn } from './conditional-write.ts';
import { jobFrom, jobsIn } from './job-item.ts';
import { newestJobs } from './newest-jobs.ts';

const keyOf = (key: JobKey) => ({ partition: partitionOf(key), id: key.id });

/** DynamoDB may leave out keys of a batch while a partition is busy: pauses before it is asked for them again. */
const LEFT_OUT_PAUSES = [50, 100, 200, 400, 800];

export function createJobs(documents: DynamoDBDocumentClient, table: string, clock: Clock): Jobs {
  async function read(key: JobKey): Promise<Job | undefined> {
    const { Item } = await documents.send(new GetCommand({ TableName: table, Key: keyOf(key), ConsistentRead: true }));
    return Item && jobFrom(Item);
  }

  /** @throws if DynamoDB leaves keys out each time */
  async function readItems(keys: readonly JobKey[]): Promise<Record<string, unknown>[]> {
    const items: Record<string, unknown>[] = [];
    let left: Record<string, unknown>[] | undefined = keys.map(keyOf);
    for (const pause of [...LEFT_OUT_PAUSES, undefined]) {
      const read: BatchGetCommand = new BatchGetCommand({
        RequestItems: { [table]: { Keys: left, ConsistentRead: true } },
      });
      const { Responses = {}, UnprocessedKeys = {} } = await documents.send(read);
      items.push(...(Responses[table] ?? []));
      left = UnprocessedKeys[table]?.Keys;
      if (!left?.length) return items;
      if (pause !== undefined) await clock.pause(pause);
    }
    throw new Error(
      `DynamoDB left ${left?.length} of ${keys.length} jobs out of a batch, ${LEFT_OUT_PAUSES.length} times.`,
    );
  }

  return {
    read,

    async readMany(keys) {
      const items = await readItems(keys);
      const nameOf = ({ partition, id }: Record<string, unknown>) => `${partition}/${id}`;
      const byName = new Map(items.map((item) => [nameOf(item), item]));
      return keys.map((key) => {
        const item = byName.get(nameOf(keyOf(key)));
        return item && jobFrom(item);
      });
    },

    async create({ endpoint, ...fields }) {
      const put = new PutCommand({
        TableName: table,
        Item: { ...keyOf({ endpoint, id: fields.id }), ...fields },
        ConditionExpression: 'attribute_not_exists(id)',
      });
      await documents.send(put).catch((error: unknown) => {
        // It is this very job: an earlier try did it and its answer was lost, or a request with the same idempotency key.
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      });
    },

    async move(name, key, facts) {
      if (!permitsByFacts(name, facts)) return { moved: false, job: await read(key), repeated: false };
      const update = new UpdateCommand({
        TableName: table,
        Key: keyOf(key),
        ...compile(name, facts),
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      try {
        const { Attributes } = await documents.send(update);
        const job = jobFrom(Attributes ?? {});
        // What the transition reads was in order, and something else in the item was not.
        return job ? { moved: true, job } : { moved: false, repeated: false };
      } catch (error) {
        const { item, repeated } = refusalIn(error);
        return { moved: false, job: item && jobFrom(item), repeated };
      }
    },

    async *list(endpoint) {
      for (const partition of partitionsOf(endpoint)) {
        const pages = paginateQuery(
          { client: documents },
          {
            TableName: table,
            KeyConditionExpression: '#partition = :partition',
            ExpressionAttributeNames: { '#partition': 'partition' },
            ExpressionAttributeValues: { ':partition': partition },
          },
        );
        for await (const { Items = [] } of pages) yield* jobsIn(Items);
      }
    },

    newest: (endpoint, before) => newestJobs(documents, table, endpoint, before),
  };
}
