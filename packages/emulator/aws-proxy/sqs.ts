/** Describes requests to SQS. */
import { arn } from '../account.ts';
import { AwsFault } from './aws-fault.ts';
import { type Described, unknownOperation } from './described.ts';

interface Entry {
  readonly ReceiptHandle?: string;
}
interface SqsInput extends Entry {
  readonly QueueUrl?: string;
  readonly Entries?: readonly Entry[];
}

/** The action of each operation. A batch operation has the action of its entries. */
const ACTIONS: Readonly<Record<string, string>> = {
  SendMessage: 'SendMessage',
  SendMessageBatch: 'SendMessage',
  ReceiveMessage: 'ReceiveMessage',
  DeleteMessage: 'DeleteMessage',
  DeleteMessageBatch: 'DeleteMessage',
  ChangeMessageVisibility: 'ChangeMessageVisibility',
  ChangeMessageVisibilityBatch: 'ChangeMessageVisibility',
  GetQueueAttributes: 'GetQueueAttributes',
  PurgeQueue: 'PurgeQueue',
};

const WITHOUT_MESSAGES = ['GetQueueAttributes', 'PurgeQueue', 'ReceiveMessage'];

/**
 * Describes a request.
 * @throws AwsFault for an unknown operation, or a request without a queue
 */
export function describeSqs(operation: string, input: SqsInput): Described {
  const { QueueUrl, Entries } = input;
  const action = Object.hasOwn(ACTIONS, operation) ? ACTIONS[operation] : undefined;
  if (!action) throw unknownOperation('sqs', operation);
  if (typeof QueueUrl !== 'string') throw new AwsFault(400, 'MissingParameter', 'The parameter QueueUrl is missing.');
  return {
    accesses: [{ action: `sqs:${action}`, resource: arn('sqs', QueueUrl.split('/').at(-1) ?? '') }],
    ...(!WITHOUT_MESSAGES.includes(operation) && { messages: Entries?.length ?? 1 }),
    receipts: (Entries ?? [input]).flatMap(({ ReceiptHandle }) => ReceiptHandle ?? []),
  };
}
