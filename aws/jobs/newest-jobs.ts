/**
 * Lists the jobs of an endpoint by time. Ids with the prefix `sync-` sort after all others, so a partition has two
 * ranges (`idRanges`). The ranges of all partitions are merged.
 */

import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type IdRange, idRanges, orderOf, partitionsOf } from '../../core/jobs/id.ts';
import type { Job } from '../../core/jobs/job.ts';
import { and, between, compare, queryExpression } from '../expressions.ts';
import { jobsIn } from './job-item.ts';

/**
 * Number of items in the first read of one range of a partition. In total, the first reads return more items than most
 * pages show.
 */
const FIRST = 25;
/** Number of items in each further read, so that a list with few matches needs fewer reads in sequence. */
const FURTHER = 50;

/** Lists the jobs in one range of a partition, newest first. */
async function* newestIn(
  documents: DynamoDBDocumentClient,
  table: string,
  partition: string,
  { first, last }: IdRange,
): AsyncGenerator<Job, undefined> {
  const query = {
    TableName: table,
    ...queryExpression(and(compare('partition', '=', partition), between('id', first, last))),
    ScanIndexForward: false,
    ConsistentRead: true,
  };
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const Limit = ExclusiveStartKey ? FURTHER : FIRST;
    const page = await documents.send(new QueryCommand({ ...query, Limit, ExclusiveStartKey }));
    // `last` is the last job of the previous page, and BETWEEN includes it.
    yield* jobsIn(page.Items ?? []).filter(({ id }) => id !== last);
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
}

/**
 * Lists the jobs of an endpoint, newest first, by merging the lists of its partitions.
 * @param before order (`orderOf`) of the last job of the previous page; only older jobs are listed
 */
export async function* newestJobs(
  documents: DynamoDBDocumentClient,
  table: string,
  endpoint: string,
  before?: string,
): AsyncGenerator<Job> {
  const lists = partitionsOf(endpoint).flatMap((partition) =>
    idRanges(before).map((range) => newestIn(documents, table, partition, range)),
  );
  const heads = await Promise.all(lists.map((list) => list.next()));
  for (;;) {
    let newest: { readonly list: number; readonly job: Job } | undefined;
    for (const [list, { value: job }] of heads.entries())
      if (job && (!newest || orderOf(job.id) > orderOf(newest.job.id))) newest = { list, job };
    if (!newest) return;
    yield newest.job;
    const next = await lists[newest.list]?.next();
    if (next) heads[newest.list] = next;
  }
}
