/** All event source mappings and pipes of the stacks, on the emulators. */
import { watch as watchFile } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { AwsProxy } from '../aws-proxy/server.ts';
import { type Cloud, clientSettings } from '../cloud.ts';
import { queueUrl } from '../cloudformation/resources/sqs.ts';
import type { Emulators } from '../emulators/emulators.ts';
import { LocalError } from '../local-error.ts';
import type { StateDirectory } from '../state/state-directory.ts';
import type { Watch } from './batch.ts';
import { createCheckpoints } from './checkpoints.ts';
import { type EventSource, type EventSourceHost, runEventSource } from './event-source.ts';
import type { StreamRecord } from './record.ts';
import { openStreamOf, tableOf } from './stream.ts';

export interface EventSources {
  /** Stops deliveries, and waits a short time for calls in progress. */
  stop(): Promise<void>;
}

type Authorize = AwsProxy['authorize'];

const START_EXECUTION = 'states:StartExecution';

/** Milliseconds. */
const STOP_LIMIT = 1_000;

const pause = (milliseconds: number, stop: AbortSignal): Promise<void> =>
  delay(milliseconds, undefined, { signal: stop }).catch(() => undefined);

/**
 * Milliseconds between a change of a table and the read of its stream. A job changes several tables within a few
 * milliseconds, and reading every stream after each change would cost processor time without finding more.
 */
const GATHERED = 25;

/** Watches a file. A change of the file ends a wait long before the next poll. */
function watchChanges(file: string): Watch {
  const { promise: changed, resolve } = Promise.withResolvers<void>();
  const watcher = watchFile(file, { persistent: false }, () => resolve());
  watcher.on('error', () => undefined); // Without the watcher, only the next poll finds changes.
  return {
    async wait(milliseconds, stop) {
      const over = new AbortController();
      const signal = AbortSignal.any([stop, over.signal]);
      await Promise.race([changed.then(() => pause(GATHERED, signal)), pause(milliseconds, signal)]);
      over.abort();
    },
    close: () => watcher.close(),
  };
}

/**
 * Checks the access to the stream and the queue: of Lambda under the function's role, or of a pipe under its own
 * role. For a pipe, also checks the access to the target.
 */
function assertPermitted({ streamArn, targetArn, pipe, onFailure }: EventSource, role: string, authorize: Authorize) {
  try {
    for (const action of ['DescribeStream', 'GetRecords', 'GetShardIterator'])
      authorize(role, { action: `dynamodb:${action}`, resource: streamArn });
    authorize(role, { action: 'dynamodb:ListStreams', resource: '*' });
    if (onFailure !== undefined) authorize(role, { action: 'sqs:SendMessage', resource: onFailure });
    if (pipe) authorize(role, { action: START_EXECUTION, resource: targetArn });
  } catch (error) {
    throw new LocalError(
      `The stream of ${tableOf(streamArn)} cannot be delivered to ${targetArn}. ${(error as Error).message}`,
    );
  }
}

/** Passes records to the target. A pipe's target gets the bare list of records. */
async function handOver(
  { functions, stateMachines }: Cloud,
  { targetArn, pipe }: EventSource,
  records: readonly StreamRecord[],
  authorize: Authorize,
): Promise<string> {
  const events = records.map(({ event }) => event);
  if (!pipe) return functions.invoke(targetArn, { Records: events });
  authorize(pipe.roleArn, { action: START_EXECUTION, resource: targetArn });
  stateMachines.start(targetArn, JSON.stringify(events));
  return 'null';
}

/**
 * Begins to deliver changes of tables to functions and state machines.
 * @throws LocalError if the role of a function or a pipe lacks a permission
 */
export function startEventSources(
  cloud: Cloud,
  emulators: Pick<Emulators, 'dynamodbUrl' | 'streamJournal' | 'tableChanges'>,
  authorize: Authorize,
  state: StateDirectory,
  notify: (text: string) => void,
): EventSources {
  const { eventSources, functions, sqs } = cloud;
  for (const source of eventSources)
    assertPermitted(source, source.pipe?.roleArn ?? functions.roleOf(source.targetArn), authorize);
  const stopping = new AbortController();
  const trim = (streamArn: string, passed: number) => {
    emulators.streamJournal.trim(tableOf(streamArn), passed).catch((error: unknown) => {
      if (!stopping.signal.aborted) notify(`The stream of ${tableOf(streamArn)} could not be trimmed: ${error}`);
    });
  };
  const host: EventSourceHost = {
    open: openStreamOf(new DynamoDBStreamsClient({ ...clientSettings, endpoint: emulators.dynamodbUrl })),
    checkpoints: createCheckpoints(state, eventSources, trim),
    invoke: (source, records) => handOver(cloud, source, records, authorize),
    async send(queueArn, MessageBody) {
      const QueueUrl = queueUrl(cloud, queueArn.split(':').at(-1) ?? '');
      await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));
    },
    watch: () => watchChanges(emulators.tableChanges),
    now: Date.now,
    pause,
    notify,
  };
  const running = Promise.all(eventSources.map((source) => runEventSource(source, host, stopping.signal)));
  return {
    async stop() {
      stopping.abort();
      const limit = new AbortController();
      await Promise.race([running, pause(STOP_LIMIT, limit.signal)]);
      limit.abort();
    },
  };
}
