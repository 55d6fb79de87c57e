/**
 * Queue messages in SQS. Each endpoint has four standard queues: two for normal and two for low priority, between which
 * purges alternate (docs/adr/0006). A message can arrive twice, late or not at all, so only the jobs table determines the
 * state of a job.
 */
import type { Message } from '@aws-sdk/client-sqs';
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageBatchCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { type JobQueues, MESSAGE_BATCH, type ReceivedMessage } from '../../core/jobs/queues.ts';
import { SECOND } from '../../core/limits.ts';

const messageSchema = z.object({ endpoint: z.string(), job: z.string(), attempt: z.number(), generation: z.number() });

function messageFrom({ Attributes, Body, ReceiptHandle }: Message, queueUrl: string): ReceivedMessage {
  const sentAt = Number(Attributes?.SentTimestamp);
  return { ...messageSchema.parse(JSON.parse(Body ?? '')), receipt: ReceiptHandle ?? '', queueUrl, sentAt };
}

/**
 * Returns the readable messages. An unreadable message must not hide the other messages of its batch; in the end it
 * becomes a dead letter.
 * @throws the error of the first message if none is readable, so that the caller reports it
 */
function messagesFrom(messages: readonly Message[], queueUrl: string): ReceivedMessage[] {
  const failures: unknown[] = [];
  const readable = messages.flatMap((message) => {
    try {
      return messageFrom(message, queueUrl);
    } catch (error) {
      failures.push(error);
      return [];
    }
  });
  if (readable.length === 0 && failures.length > 0) throw failures[0];
  return readable;
}

const seconds = (milliseconds: number) => Math.ceil(milliseconds / SECOND);

export function createJobQueues(sqs: SQSClient): JobQueues {
  async function receive(queueUrl: string, max: number, wait: number, hidden: number, signal?: AbortSignal) {
    const command = new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: Math.min(max, MESSAGE_BATCH),
      WaitTimeSeconds: seconds(wait),
      VisibilityTimeout: seconds(hidden),
      MessageSystemAttributeNames: ['SentTimestamp'],
    });
    const { Messages = [] } = await sqs.send(command, signal ? { abortSignal: signal } : {});
    return messagesFrom(Messages, queueUrl);
  }

  return {
    async send(queueUrl, message, delay) {
      const send = new SendMessageCommand({
        QueueUrl: queueUrl,
        MessageBody: JSON.stringify(message),
        ...(delay !== undefined && { DelaySeconds: seconds(delay) }),
      });
      await sqs.send(send);
    },

    receive,

    async hide({ queueUrl, receipt }, hidden) {
      await sqs.send(
        new ChangeMessageVisibilityCommand({
          QueueUrl: queueUrl,
          ReceiptHandle: receipt,
          VisibilityTimeout: seconds(hidden),
        }),
      );
    },

    async drop({ queueUrl, receipt }) {
      await sqs.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle: receipt }));
    },

    async dropBatch(messages) {
      const [first] = messages;
      if (!first) return;
      const Entries = messages.map(({ receipt }, n) => ({ Id: String(n), ReceiptHandle: receipt }));
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: first.queueUrl, Entries }));
    },
  };
}
