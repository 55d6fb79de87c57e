/** Hints travel over SQS: two standard queues per endpoint. A hint may come twice, late or not at all; the jobs table decides. */
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { SECOND } from '../core/limits.ts';
import type { Hints } from '../core/world.ts';

const hintSchema = z.object({ endpoint: z.string(), job: z.string(), attempt: z.number(), generation: z.number() });

const seconds = (milliseconds: number) => Math.ceil(milliseconds / SECOND);

export function createHints(sqs: SQSClient): Hints {
  return {
    async send(queueUrl, hint, delay) {
      const send = new SendMessageCommand({
        QueueUrl: queueUrl,
        MessageBody: JSON.stringify(hint),
        ...(delay !== undefined && { DelaySeconds: seconds(delay) }),
      });
      await sqs.send(send);
    },

    async receive(queueUrl, wait, hidden, signal) {
      const receive = new ReceiveMessageCommand({
        QueueUrl: queueUrl,
        MaxNumberOfMessages: 1,
        WaitTimeSeconds: seconds(wait),
        VisibilityTimeout: seconds(hidden),
      });
      const { Messages = [] } = await sqs.send(receive, { abortSignal: signal });
      const [message] = Messages;
      if (!message?.Body || !message.ReceiptHandle) return undefined;
      return { ...hintSchema.parse(JSON.parse(message.Body)), receipt: message.ReceiptHandle, queueUrl };
    },

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
  };
}
