/** All event source mappings and pipes of the stacks, on the emulators. */
import { setTimeout as delay } from 'node:timers/promises';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { AwsProxy } from '../aws-proxy/server.ts';
import type { Cloud } from '../cloud.ts';
import { queueUrl } from '../cloudformation/resources/sqs.ts';
import { functionDimension } from '../cloudwatch/function-metrics.ts';
import type { Emulators } from '../emulators/emulators.ts';
import { LocalError } from '../local-error.ts';
import type { StateDirectory } from '../state/state-directory.ts';
import { createCheckpoints } from './checkpoints.ts';
import { type EventSource, type EventSourceHost, runEventSource } from './event-source.ts';
import type { StreamRecord } from './record.ts';
import { openStreams, tableOf } from './stream.ts';
import { watchTables } from './table-changes.ts';

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
      { cause: error },
    );
  }
}

/** Passes records to the target. A pipe's target gets the bare list of records. */
async function handOver(
  { functions, stateMachines, metrics }: Cloud,
  { targetArn, pipe }: EventSource,
  records: readonly StreamRecord[],
  authorize: Authorize,
): Promise<string> {
  const events = records.map(({ event }) => event);
  if (!pipe) {
    const age = Date.now() - (records.at(-1)?.createdAt ?? 0);
    metrics.put('AWS/Lambda', functionDimension(targetArn), { IteratorAge: age });
    return functions.invoke(targetArn, { Records: events });
  }
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
  emulators: Pick<Emulators, 'streamJournal' | 'database' | 'tableChanges'>,
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
  const streams = openStreams(emulators.database);
  const changes = watchTables(emulators.tableChanges);
  const checkpoints = createCheckpoints(state, eventSources, trim);
  const host: EventSourceHost = {
    open: streams.open,
    checkpoints,
    invoke: (source, records) => handOver(cloud, source, records, authorize),
    async send(queueArn, MessageBody) {
      const QueueUrl = queueUrl(cloud, queueArn.split(':').at(-1) ?? '');
      await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));
    },
    watch: changes.watch,
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
      checkpoints.store();
      changes.close();
      streams.close();
    },
  };
}
