import { Logger } from '@aws-lambda-powertools/logger';
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { createExpiryTimers } from '../../aws/expiry/timers.ts';
import { changesFrom, sequenceOf } from '../../aws/jobs/job-stream.ts';
import { adaptersOf, portsFrom } from '../../aws/ports.ts';
import { createServices } from '../../aws/workers/services.ts';
import type { JobChange } from '../../core/jobs/job.ts';
import { partitionOfChange, record } from '../../core/ledger/record.ts';
import { createRepeats } from '../../core/ledger/repeats.ts';
import { reportSetAside, type SetAside } from '../set-aside.ts';

const logger = new Logger();
const ports = portsFrom({
  ...adaptersOf(),
  services: () => createServices(),
  expiryTimers: () => createExpiryTimers(logger),
});
const repeats = createRepeats(ports.clock);

/** Describes a change that could not be counted, or whose effects failed, to set it aside. */
function setAsideFrom(endpoint: string, change: JobChange, error: unknown): SetAside {
  return {
    table: 'jobs',
    partition: partitionOfChange(change),
    endpoint,
    reason: `not recorded: ${error instanceof Error ? error.name : 'error'}`,
  };
}

/**
 * Handles the stream of the jobs table. Lambda repeats the batch from the change that the response names;
 * changes of other endpoints in this batch are still counted only once. Items that are not valid jobs are set aside.
 * Changes of an endpoint that still fail after the last repetition are also set aside.
 */
export async function handler({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  const { changes, unreadable } = changesFrom(Records);
  const unrecorded = await record(ports, changes);
  for (const { endpoint, error } of unrecorded) logger.error('Not recorded.', { endpoint, error });

  const isRepeated = new Set(unrecorded.map(({ endpoint }) => endpoint).filter((endpoint) => repeats.take(endpoint)));
  const first = unrecorded.find(({ endpoint }) => isRepeated.has(endpoint))?.changes[0]?.sequence;
  // Changes in the repeated part of the batch are counted when they are repeated.
  const isOver = ({ sequence }: Pick<JobChange, 'sequence'>) => first === undefined || sequence < first;
  const givenUp = unrecorded.flatMap(({ endpoint, changes: its, error }) =>
    its.filter(isOver).map((change) => setAsideFrom(endpoint, change, error)),
  );
  reportSetAside([...unreadable.filter(isOver), ...givenUp]);

  const from = Records.find((streamed) => first !== undefined && sequenceOf(streamed) === first);
  const itemIdentifier = from?.dynamodb?.SequenceNumber;
  return { batchItemFailures: itemIdentifier === undefined ? [] : [{ itemIdentifier }] };
}
