import {
  CreateQueueCommand,
  DeleteQueueCommand,
  ListQueuesCommand,
  SetQueueAttributesCommand,
} from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { account, arn } from '../../account.ts';
import type { Cloud } from '../../cloud.ts';
import { ignored, physicalName } from '../resource.ts';
import { run } from '../resource-type.ts';

const number = z.coerce.number();

/** Without a property, a queue has what CloudFormation gives it, even if it had something else before. */
const queueSchema = z.strictObject({
  QueueName: z.optional(z.string()),
  VisibilityTimeout: z._default(number, 30),
  MessageRetentionPeriod: z._default(number, 345_600),
  ReceiveMessageWaitTimeSeconds: z._default(number, 0),
  DelaySeconds: z._default(number, 0),
  MaximumMessageSize: z._default(number, 1_048_576),
  RedrivePolicy: z.optional(z.strictObject({ deadLetterTargetArn: z.string(), maxReceiveCount: number })),
  // There is no disk but the user's own.
  SqsManagedSseEnabled: ignored,
  Tags: ignored,
});

const LONGEST_NAME = 80;

/** The queue's address for code of the stacks: the SDK calls it wherever it says. Our own client has an address. */
export const queueUrl = ({ proxyUrl }: { readonly proxyUrl: string }, name: string): string =>
  `${proxyUrl}/${account.id}/${name}`;

export const queue = run(queueSchema, async (resource, cloud) => {
  const { QueueName: name = physicalName(resource, LONGEST_NAME), RedrivePolicy, ...settings } = resource.properties;
  const { SqsManagedSseEnabled, Tags, ...numbers } = settings;
  await cloud.sqs.send(new CreateQueueCommand({ QueueName: name }));
  await cloud.sqs.send(
    new SetQueueAttributesCommand({
      QueueUrl: queueUrl(cloud, name),
      Attributes: {
        ...Object.fromEntries(Object.entries(numbers).map(([attribute, value]) => [attribute, String(value)])),
        RedrivePolicy: RedrivePolicy ? JSON.stringify(RedrivePolicy) : '',
      },
    }),
  );
  cloud.queues.add(name);
  return { ref: queueUrl(cloud, name), attributes: { Arn: arn('sqs', name), QueueName: name } };
});

/** Deletes the queues that no template declares any more, as CloudFormation does with the rest of their stack. */
export async function deleteUndeclaredQueues(cloud: Cloud): Promise<void> {
  const { QueueUrls = [] } = await cloud.sqs.send(new ListQueuesCommand({ MaxResults: 1000 }));
  const names = QueueUrls.map((url) => url.split('/').at(-1) ?? '').filter((name) => !cloud.queues.has(name));
  await Promise.all(names.map((name) => cloud.sqs.send(new DeleteQueueCommand({ QueueUrl: queueUrl(cloud, name) }))));
}
