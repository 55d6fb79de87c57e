/** Delivers changes of a table to a function or a state machine, as Lambda's event source mappings and pipes do. */
import { randomUUID } from 'node:crypto';
import { type BatchHost, type BatchOptions, createBatches } from './batch.ts';
import type { Checkpoints, Reader } from './checkpoints.ts';
import { type DeliveryOptions, type Discarded, deliver } from './delivery.ts';
import { type StreamRecord, sequenceNumber } from './record.ts';
import { newestPosition, type OpenStream, tableOf } from './stream.ts';

export interface EventSource extends Reader, BatchOptions, DeliveryOptions {
  /** ARN of the target. */
  readonly targetArn: string;
  /** Role of a pipe. It is absent for a mapping of Lambda, which reads the stream under the function's role. */
  readonly pipe?: { readonly arn: string; readonly roleArn: string };
  readonly startingPosition: 'TRIM_HORIZON' | 'LATEST';
  /** ARN of the queue that gets a message about discarded records. */
  readonly onFailure: string | undefined;
}

export interface EventSourceHost extends BatchHost {
  readonly open: OpenStream;
  readonly checkpoints: Checkpoints;
  /**
   * Delivers the records.
   * @throws if the target fails
   */
  invoke(source: EventSource, records: readonly StreamRecord[]): Promise<string>;
  send(queueArn: string, body: string): Promise<void>;
  /** Prints a message for the user. */
  notify(text: string): void;
}

/** Pause after a failure of the emulator, in milliseconds. */
const PAUSE = 1_000;

/** Formats a time to the second. */
const timestamp = (milliseconds: number) => new Date(milliseconds).toISOString().replace(/\.\d+/, '');

/** Describes the source in the format of Lambda or of pipes. */
function sourceDescription({ targetArn, pipe }: EventSource, { condition, invocations, functionError }: Discarded) {
  if (pipe) return { context: { partnerResourceArn: pipe.arn, condition } };
  return {
    requestContext: {
      requestId: randomUUID(),
      functionArn: targetArn,
      condition,
      approximateInvokeCount: invocations,
    },
    responseContext: {
      statusCode: 200,
      executedVersion: '$LATEST',
      ...(functionError && { functionError: 'Unhandled' }),
    },
  };
}

/** Returns the message about discarded records. */
function failureMessage(source: EventSource, shardId: string, discarded: Discarded, now: number): string {
  const { records } = discarded;
  const [first, last] = [records[0], records.at(-1)];
  return JSON.stringify({
    ...sourceDescription(source, discarded),
    version: '1.0',
    timestamp: new Date(now).toISOString(),
    DDBStreamBatchInfo: {
      shardId,
      startSequenceNumber: sequenceNumber(first?.position ?? 0),
      endSequenceNumber: sequenceNumber(last?.position ?? 0),
      approximateArrivalOfFirstRecord: timestamp(first?.createdAt ?? 0),
      approximateArrivalOfLastRecord: timestamp(last?.createdAt ?? 0),
      batchSize: records.length,
      streamArn: source.streamArn,
    },
  });
}

/**
 * Returns the start position: after the handled records or, in the first run, at the mapping's starting position.
 */
function startOf(source: EventSource, { open, checkpoints }: EventSourceHost): number {
  const known = checkpoints.position(source);
  if (known !== undefined) return known;
  const position = source.startingPosition === 'LATEST' ? newestPosition(open, source.streamArn) : 0;
  checkpoints.pass(source, position);
  return position;
}

/** Reads the stream and delivers its records until it must stop. Never rejects. */
export async function runEventSource(source: EventSource, host: EventSourceHost, stop: AbortSignal): Promise<void> {
  const { checkpoints, notify, now, pause } = host;
  const table = tableOf(source.streamArn);

  async function discard(discarded: Discarded, shardId: string): Promise<void> {
    const { records, condition } = discarded;
    const fate = source.onFailure === undefined ? 'lost' : `reported to ${source.onFailure}`;
    notify(`${records.length} changes of ${table} were discarded for ${source.targetArn} (${condition}) and ${fate}.`);
    const queue = source.onFailure;
    if (queue !== undefined) await host.send(queue, failureMessage(source, shardId, discarded, now()));
  }

  async function read(): Promise<void> {
    const reader = host.open(source.streamArn, startOf(source, host));
    const batches = createBatches(reader, source, host);
    const delivery = {
      invoke: (records: readonly StreamRecord[]) => host.invoke(source, records),
      discard: (discarded: Discarded) => discard(discarded, reader.shardId),
      pass: (position: number) => checkpoints.pass(source, position),
      now,
      pause,
    };
    for (let batch = await batches.next(stop); batch; batch = await batches.next(stop)) {
      if (batch.records.length > 0) await deliver(batch.records, source, delivery, stop);
      // The checkpoint also passes records that the filter excluded.
      if (!stop.aborted) checkpoints.pass(source, batch.end);
    }
  }

  while (!stop.aborted) {
    try {
      await read();
    } catch (error) {
      if (stop.aborted) return;
      notify(`The stream of ${table} cannot be read now: ${error}`);
      await pause(PAUSE, stop);
    }
  }
}
