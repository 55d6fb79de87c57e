/**
 * Lists the jobs of an endpoint by time. Each partition is sorted by time, and the lists of all partitions are
 * merged.
 */

import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type IdRange, idRanges, orderOf, partitionsOf } from '../../core/jobs/id.ts';
import type { Job } from '../../core/jobs/job.ts';
import { and, between, compare, queryExpression } from '../expressions.ts';
import { jobsIn } from './job-item.ts';

/**
 * Number of items in the first read of one partition and kind. In total, the first reads return more items than most
 * pages show.
 */
const FIRST = 25;
/** Number of items in each further read, so that a list with few matches needs fewer reads in sequence. */
const FURTHER = 50;

/** Lists the items of one partition and one kind, newest first. */
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
    yield* jobsIn(page.Items ?? []).filter(({ id }) => id !== last);
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
}

/**
 * Lists the jobs of an endpoint, newest first, by merging the lists of its partitions.
 * @param before order (`orderOf`) after which the list begins
 */
export async function* newestJobs(
  documents: DynamoDBDocumentClient,
  table: string,
  endpoint: string,
  before?: string,
): AsyncGenerator<Job> {
  const rows = partitionsOf(endpoint).flatMap((partition) =>
    idRanges(before).map((range) => newestIn(documents, table, partition, range)),
  );
  const heads = await Promise.all(rows.map((row) => row.next()));
  for (;;) {
    let newest: { readonly row: number; readonly job: Job } | undefined;
    for (const [row, { value: job }] of heads.entries())
      if (job && (!newest || orderOf(job.id) > orderOf(newest.job.id))) newest = { row, job };
    if (!newest) return;
    yield newest.job;
    const next = await rows[newest.row]?.next();
    if (next) heads[newest.row] = next;
  }
}
