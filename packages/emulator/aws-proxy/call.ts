/** A call that the proxy handles. */
import { pipeline } from 'node:stream/promises';
import type { EmulatorAddresses } from '../account.ts';
import type { CallLog, LoggedCall } from './call-log.ts';
import type { Caller } from './caller.ts';
import type { Described, Tables } from './described.ts';
import { type Exchange, endToEnd, type Forwarder, type StreamedAnswer } from './forward.ts';
import type { Gate } from './gate.ts';
import type { JsonService } from './json-service.ts';
import type { VerifySignature } from './signature.ts';

/** The entry of the call log, with the fields that are known so far. */
export type Findings = { -readonly [Field in keyof LoggedCall]?: LoggedCall[Field] };

export interface Call extends Exchange {
  readonly caller: Caller;
  readonly findings: Findings;
}

/** Performs an authorized call. */
export type Perform = <Answer>(call: Call, described: Described, execute: () => Promise<Answer>) => Promise<Answer>;

/** The dependencies of the proxy's calls. */
export interface Backend {
  readonly emulators: EmulatorAddresses;
  readonly tables: Tables;
  readonly services: ReadonlyMap<string, JsonService>;
  readonly verify: VerifySignature;
  readonly gate: Gate;
  readonly forwarder: Forwarder;
  /** Wraps the execution of each call. */
  readonly perform: Perform;
  readonly log: CallLog | undefined;
}

export function recordDescribed({ findings }: Call, { accesses, keys = [], messages, receipts = [] }: Described): void {
  findings.resources = [...new Set(accesses.map(({ resource }) => resource))];
  if (keys.length > 0) findings.keys = keys;
  if (messages !== undefined) findings.messages = messages;
  if (receipts.length > 0) findings.receipts = receipts;
}

/** Streams the response of an emulator to the caller. */
export async function relay(
  { outgoing, findings }: Call,
  { statusCode, headers, body }: StreamedAnswer,
): Promise<void> {
  outgoing.writeHead(statusCode, endToEnd(headers));
  findings.responseBytes = 0;
  body.on('data', (chunk: Buffer) => {
    findings.responseBytes = (findings.responseBytes ?? 0) + chunk.length;
  });
  await pipeline(body, outgoing);
}
