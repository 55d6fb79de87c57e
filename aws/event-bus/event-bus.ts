/** Sends events to EventBridge. One call puts up to ten, and needs no client of the SDK. */
import { HttpRequest } from '@smithy/core/protocols';
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import * as z from 'zod/mini';
import { type BusEvent, EVENT_SOURCE, type EventBus } from '../../core/event-bus/bus-event.ts';
import { SECOND } from '../../core/limits.ts';
import { environment, optionalEnvironment } from '../environment.ts';
import { requestHandler } from '../request-handler.ts';

/** Maximum events of a call, a limit of EventBridge. */
const ENTRIES = 10;

const answerSchema = z.object({
  FailedEntryCount: z.number(),
  Entries: z.array(z.object({ ErrorCode: z.optional(z.string()) })),
});

const entryOf = (bus: string, { type, at, detail }: BusEvent) => ({
  ...{ EventBusName: bus, Source: EVENT_SOURCE, DetailType: type, Detail: JSON.stringify(detail) },
  Time: at / SECOND,
});

/** Returns the credentials of a function, which are always in the environment. */
async function credentials() {
  const sessionToken = optionalEnvironment('AWS_SESSION_TOKEN');
  return {
    accessKeyId: environment('AWS_ACCESS_KEY_ID'),
    secretAccessKey: environment('AWS_SECRET_ACCESS_KEY'),
    ...(sessionToken !== undefined && { sessionToken }),
  };
}

/**
 * Creates the adapter of a bus.
 * @param bus ARN of the bus
 */
export function createEventBus(bus: string): EventBus {
  const handler = requestHandler('services');
  const region = environment('AWS_REGION');

  async function putSome(events: readonly BusEvent[]): Promise<void> {
    // The configuration of the SDK has the address of the emulators on a laptop.
    const address = optionalEnvironment('AWS_ENDPOINT_URL') ?? environment('EVENT_BUS_URL');
    const { protocol, hostname, port, host } = new URL(address);
    const request = new HttpRequest({
      ...{ method: 'POST', protocol, hostname, path: '/', ...(port && { port: Number(port) }) },
      headers: { host, 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'AWSEvents.PutEvents' },
      body: JSON.stringify({ Entries: events.map((event) => entryOf(bus, event)) }),
    });
    const signer = new SignatureV4({ service: 'events', region, credentials, sha256: Hash.bind(undefined, 'sha256') });
    const { response } = await handler.handle((await signer.sign(request)) as HttpRequest);
    const text = (await Array.fromAsync<Uint8Array>(response.body))
      .map((piece) => Buffer.from(piece).toString())
      .join('');
    if (response.statusCode !== 200)
      throw new Error(`EventBridge answered ${response.statusCode}: ${text.slice(0, 300)}`);
    const { FailedEntryCount, Entries } = answerSchema.parse(JSON.parse(text));
    if (FailedEntryCount === 0) return;
    const codes = new Set(Entries.map(({ ErrorCode }) => ErrorCode).filter(Boolean));
    throw new Error(
      `EventBridge did not accept ${FailedEntryCount} of ${events.length} events: ${[...codes].join(', ')}.`,
    );
  }

  return {
    async put(events) {
      for (let n = 0; n < events.length; n += ENTRIES) await putSome(events.slice(n, n + ENTRIES));
    },
  };
}
