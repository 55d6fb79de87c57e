/** Measures a call for the call log: consumed units, received messages, the error. */
import type { IncomingHttpHeaders } from 'node:http';
import { crc32 } from 'node:zlib';

export interface Measured {
  /** Write and read units that DynamoDB consumed. */
  readonly wru?: number;
  readonly rru?: number;
  readonly messages?: number;
  /** Ids of the messages sent or received. */
  readonly messageIds?: readonly string[];
  /** Receipt handles of the received messages, in their order, or the handles in the request. */
  readonly receipts?: readonly string[];
  /** Name of the error in the response. */
  readonly error?: string | undefined;
}

export interface Answer {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly measured: Measured;
}

/** A measured request: the body that replaces the caller's, and the function that reads the response. */
export interface Measure {
  readonly body: Buffer;
  read(status: number, headers: IncomingHttpHeaders, body: Buffer): Answer;
}

interface Capacity {
  readonly CapacityUnits?: number;
}
interface DynamodbAnswer {
  readonly ConsumedCapacity?: Capacity | readonly Capacity[] | undefined;
}
interface ErrorAnswer {
  readonly __type?: string;
}
interface Message {
  readonly MessageId?: string;
  readonly ReceiptHandle?: string;
}
interface SqsAnswer extends Message {
  readonly Messages?: readonly Message[];
  readonly Successful?: readonly Message[];
}

const WRITES = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'TransactWriteItems'];
const READS = ['GetItem', 'Query', 'Scan', 'BatchGetItem', 'TransactGetItems'];

const jsonOf = (body: Buffer): object => (body.length > 0 ? JSON.parse(body.toString()) : {});
const errorIn = (body: Buffer): Measured => ({ error: (jsonOf(body) as ErrorAnswer).__type?.split('#').at(-1) });

const REFUSED = 'ConditionalCheckFailedException';
/** AWS charges one unit for a write of up to 1 KB whose condition fails. The emulator omits the charge. */
const refusedUnits = ({ error }: Measured): Measured => (error === REFUSED ? { error, wru: 1 } : { error });

/** Edits the JSON without parsing it, so that the caller's numbers and strings do not change. */
function askingForCapacity(body: Buffer, input: object): Buffer {
  const start = body.indexOf('{') + 1;
  const rest = body.subarray(start);
  const member = `{"ReturnConsumedCapacity":"TOTAL"${Object.keys(input).length > 0 ? ',' : ''}`;
  return Buffer.concat([Buffer.from(member), rest]);
}

function unitsOf(operation: string, { ConsumedCapacity }: DynamodbAnswer): Measured {
  if (!ConsumedCapacity) return {};
  const units = [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
  return WRITES.includes(operation) ? { wru: units } : { rru: units };
}

/** Requests the consumed units, and removes them from the response if the caller has not requested them. */
export function measureDynamodb(operation: string, input: object, body: Buffer): Measure {
  const counts = WRITES.includes(operation) || READS.includes(operation);
  const asks = !counts || 'ReturnConsumedCapacity' in input;
  return {
    body: asks ? body : askingForCapacity(body, input),
    read(status, headers, answered) {
      if (status !== 200) return { headers, body: answered, measured: refusedUnits(errorIn(answered)) };
      const { ConsumedCapacity, ...rest } = jsonOf(answered) as DynamodbAnswer;
      const measured = unitsOf(operation, { ConsumedCapacity });
      if (asks || !ConsumedCapacity) return { headers, body: answered, measured };
      const stripped = Buffer.from(JSON.stringify(rest));
      return { headers: { ...headers, 'x-amz-crc32': String(crc32(stripped)) }, body: stripped, measured };
    },
  };
}

const named = (names: readonly (string | undefined)[]) => names.filter((name) => name !== undefined);

/** The response to a send has a message id; the response to a batch has an id for each accepted entry. */
function messagesIn(operation: string, answered: Buffer): Measured {
  const answer = jsonOf(answered) as SqsAnswer;
  const messages = answer.Messages ?? answer.Successful ?? [answer];
  const messageIds = named(messages.map(({ MessageId }) => MessageId));
  if (operation !== 'ReceiveMessage') return messageIds.length > 0 ? { messageIds } : {};
  const receipts = named(messages.map(({ ReceiptHandle }) => ReceiptHandle));
  return messageIds.length > 0 ? { messages: messageIds.length, messageIds, receipts } : { messages: 0 };
}

export function measureSqs(operation: string, body: Buffer): Measure {
  return {
    body,
    read: (status, headers, answered) => ({
      headers,
      body: answered,
      measured: status === 200 ? messagesIn(operation, answered) : errorIn(answered),
    }),
  };
}
