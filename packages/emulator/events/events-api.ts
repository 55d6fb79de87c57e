/** The operation of EventBridge that is supported here: events put on the default bus. */
import * as z from 'zod/mini';
import { arn } from '../account.ts';
import { AwsFault } from '../aws-proxy/aws-fault.ts';
import { unknownOperation } from '../aws-proxy/described.ts';
import type { JsonService } from '../aws-proxy/json-service.ts';
import type { BusEvent, EventBus } from './bus.ts';

const BUS = arn('events', 'event-bus/default');
const text = z.string().check(z.minLength(1));

export const inputs = {
  PutEvents: z.strictObject({
    Entries: z
      .array(
        z.strictObject({
          EventBusName: z._default(text, 'default'),
          Source: text,
          DetailType: text,
          Detail: text,
          /** Seconds since 1970. */
          Time: z.optional(z.number()),
          Resources: z._default(z.array(z.string()), []),
        }),
      )
      .check(z.minLength(1), z.maxLength(10)),
  }),
};
type Entry = z.output<typeof inputs.PutEvents>['Entries'][number];

/** @throws AwsFault */
function entriesOf(name: string, input: unknown): readonly Entry[] {
  if (name !== 'PutEvents') throw unknownOperation('EventBridge', name);
  const parsed = z.safeParse(inputs.PutEvents, input);
  if (parsed.success) return parsed.data.Entries;
  const members = parsed.error.issues.map(({ path }) => path.join('.'));
  throw new AwsFault(400, 'ValidationException', `PutEvents does not accept this ${members.join(', ')} here.`);
}

/** Returns the event, or the code with which EventBridge refuses the entry. */
function eventOf({ EventBusName, Source, DetailType, Detail, Resources }: Entry): BusEvent | string {
  if (EventBusName !== 'default' && EventBusName !== BUS) return 'ResourceNotFoundException';
  if (Source.startsWith('aws.')) return 'NotAuthorizedForSourceException';
  try {
    const detail: unknown = JSON.parse(Detail);
    if (typeof detail === 'object' && detail !== null && !Array.isArray(detail))
      return { source: Source, 'detail-type': DetailType, detail, resources: Resources };
  } catch {
    // Refused below.
  }
  return 'MalformedDetail';
}

/** @param record called with each event that is put, also if no rule matches it */
export const createEventsApi = (bus: Pick<EventBus, 'put'>, record: (event: BusEvent) => void): JsonService => ({
  async call(name, input) {
    const entries = entriesOf(name, input).map(eventOf);
    for (const event of entries) {
      if (typeof event === 'string') continue;
      record(event);
      bus.put(event);
    }
    return {
      FailedEntryCount: entries.filter((entry) => typeof entry === 'string').length,
      Entries: entries.map((entry, n) =>
        typeof entry === 'string' ? { ErrorCode: entry, ErrorMessage: entry } : { EventId: `${Date.now()}-${n}` },
      ),
    };
  },

  authorization(name, input) {
    entriesOf(name, input);
    return { action: 'events:PutEvents', resource: BUS };
  },
});
