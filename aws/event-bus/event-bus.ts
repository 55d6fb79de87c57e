/** Sends events to EventBridge. */
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { type BusEvent, EVENT_SOURCE, type EventBus } from '../../core/event-bus/bus-event.ts';
import { requestHandler } from '../request-handler.ts';

/** Maximum events of a call, a limit of EventBridge. */
const ENTRIES = 10;

const entryOf = (bus: string, { type, at, detail }: BusEvent) => ({
  ...{ EventBusName: bus, Source: EVENT_SOURCE, DetailType: type, Detail: JSON.stringify(detail) },
  Time: new Date(at),
});

/**
 * Creates the adapter of a bus.
 * @param bus ARN of the bus
 */
export function createEventBus(bus: string): EventBus {
  const client = new EventBridgeClient({ requestHandler: requestHandler('services') });

  async function putSome(events: readonly BusEvent[]): Promise<void> {
    const command = new PutEventsCommand({ Entries: events.map((event) => entryOf(bus, event)) });
    const { FailedEntryCount: failed = 0, Entries = [] } = await client.send(command);
    if (failed === 0) return;
    const codes = new Set(Entries.flatMap(({ ErrorCode }) => ErrorCode ?? []));
    throw new Error(`EventBridge did not accept ${failed} of ${events.length} events: ${[...codes].join(', ')}.`);
  }

  return {
    async put(events) {
      for (let n = 0; n < events.length; n += ENTRIES) await putSome(events.slice(n, n + ENTRIES));
    },
  };
}
