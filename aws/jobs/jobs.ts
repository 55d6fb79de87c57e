/**
 * The jobs table: one frequently written item for each job, at most 1 KB. All writes are conditional. All reads except
 * lists are strongly consistent.
 */

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { partitionsOf } from '../../core/jobs/id.ts';
import type { Job, JobKey } from '../../core/jobs/job.ts';
import { permitsByFacts } from '../../core/jobs/machine.ts';
import type { Jobs, Refused } from '../../core/jobs/store.ts';
import type { FactsOf, TransitionName } from '../../core/jobs/transitions.ts';
import { compile, refusalIn } from '../conditional-write.ts';
import { compare, conditionExpression, notExists, queryExpression } from '../expressions.ts';
import { jobFrom, jobKeyOf, jobsIn } from './job-item.ts';
import { newestJobs } from './newest-jobs.ts';

export function createJobs(documents: DynamoDBDocumentClient, table: string): Jobs {
  async function read(key: JobKey): Promise<Job | undefined> {
    const { Item } = await documents.send(
      new GetCommand({ TableName: table, Key: jobKeyOf(key), ConsistentRead: true }),
    );
    return Item && jobFrom(Item);
  }

  /**
   * Performs a transition.
   * @param returned whether to return the changed item
   */
  async function write<Name extends TransitionName>(
    name: Name,
    key: JobKey,
    facts: FactsOf<Name>,
    returned: 'ALL_NEW' | 'NONE',
  ): Promise<{ readonly moved: true; readonly item?: Record<string, unknown> | undefined } | Refused> {
    if (!permitsByFacts(name, facts)) return { moved: false, job: await read(key), repeated: false };
    const update = new UpdateCommand({
      TableName: table,
      Key: jobKeyOf(key),
      ...compile(name, facts),
      ReturnValues: returned,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    try {
      const { Attributes } = await documents.send(update);
      return { moved: true, item: Attributes };
    } catch (error) {
      const { item, repeated } = refusalIn(error);
      return { moved: false, job: item && jobFrom(item), repeated };
    }
  }

  return {
    read,

    async readMany(keys) {
      const read = new BatchGetCommand({
        RequestItems: { [table]: { Keys: keys.map(jobKeyOf), ConsistentRead: true } },
      });
      const { Responses = {}, UnprocessedKeys = {} } = await documents.send(read);
      const nameOf = ({ partition, id }: Record<string, unknown>) => `${partition}/${id}`;
      const byName = new Map((Responses[table] ?? []).map((item) => [nameOf(item), item]));
      const leftOut = new Set((UnprocessedKeys[table]?.Keys ?? []).map(nameOf));
      return keys.map((key) => {
        const name = nameOf(jobKeyOf(key));
        const item = byName.get(name);
        return item ? jobFrom(item) : leftOut.has(name) ? 'not read' : undefined;
      });
    },

    async create({ endpoint, ...fields }) {
      const put = new PutCommand({
        TableName: table,
        Item: { ...jobKeyOf({ endpoint, id: fields.id }), ...fields },
        ...conditionExpression(notExists('id')),
      });
      await documents.send(put).catch((error: unknown) => {
        // The job already exists: an earlier attempt succeeded and its response was lost, or a request had the same
        // idempotency key.
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      });
    },

    async move(name, key, facts) {
      const written = await write(name, key, facts, 'ALL_NEW');
      if (!written.moved) return written;
      const job = jobFrom(written.item ?? {});
      // The transition checks only some attributes of the item, and another attribute is invalid.
      return job ? { moved: true, job } : { moved: false, repeated: false };
    },

    report: (name, key, facts) => write(name, key, facts, 'NONE'),

    async *list(endpoint) {
      for (const partition of partitionsOf(endpoint)) {
        const query = { TableName: table, ...queryExpression(compare('partition', '=', partition)) };
        for await (const { Items = [] } of paginateQuery({ client: documents }, query)) yield* jobsIn(Items);
      }
    },

    newest: (endpoint, before) => newestJobs(documents, table, endpoint, before),
  };
}
