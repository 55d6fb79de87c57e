/**
 * Reads the call log of `npm start`: one line of JSON per AWS call, in the order in which the calls were
 * completed.
 */
import { closeSync, openSync, readSync } from 'node:fs';

export interface ItemKey {
  readonly partition: string;
  readonly sort?: string;
}

/** The fields of a line that this module reads. */
export interface Call {
  /** Start of the call, in ISO 8601. */
  readonly time: string;
  /** Name of the role that made the call. */
  readonly role?: string;
  readonly service?: string;
  readonly operation?: string;
  /** ARNs. */
  readonly resources?: readonly string[];
  readonly keys?: readonly ItemKey[];
  readonly messages?: number;
  readonly messageIds?: readonly string[];
  readonly receipts?: readonly string[];
  readonly wru?: number;
  readonly rru?: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly error?: string;
}

/** Ids of the messages that were sent. */
export const messagesSent = (calls: readonly Call[]): string[] =>
  calls.flatMap(({ operation, messageIds = [] }) => (operation === 'SendMessage' ? messageIds : []));

/** Id of the message, by receipt handle. */
export function messagesReceived(calls: readonly Call[]): Map<string, string> {
  const received = calls.filter(({ operation }) => operation === 'ReceiveMessage');
  return new Map(
    received.flatMap(({ messageIds = [], receipts = [] }) =>
      receipts.map((receipt, n) => [receipt, messageIds[n] ?? ''] as const),
    ),
  );
}

export interface CallLog {
  /** Returns all calls that the log contains so far. */
  read(): readonly Call[];
  close(): void;
}

export function openCallLog(file: string): CallLog {
  const descriptor = openSync(file, 'r');
  const chunk = Buffer.alloc(256 * 1024);
  const calls: Call[] = [];
  let rest = Buffer.alloc(0);

  return {
    read() {
      for (let bytes = readSync(descriptor, chunk); bytes > 0; bytes = readSync(descriptor, chunk)) {
        const text = Buffer.concat([rest, chunk.subarray(0, bytes)]);
        const end = text.lastIndexOf('\n') + 1;
        rest = text.subarray(end);
        const lines = text.subarray(0, end).toString().split('\n').slice(0, -1);
        calls.push(...lines.map((line) => JSON.parse(line) as Call));
      }
      return calls;
    },
    close: () => closeSync(descriptor),
  };
}
