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

/** A missing property is reset to CloudFormation's default, even if the queue had another value. */
const queueSchema = z.strictObject({
  QueueName: z.optional(z.string()),
  VisibilityTimeout: z._default(number, 30),
  MessageRetentionPeriod: z._default(number, 345_600),
  ReceiveMessageWaitTimeSeconds: z._default(number, 0),
  DelaySeconds: z._default(number, 0),
  MaximumMessageSize: z._default(number, 1_048_576),
  RedrivePolicy: z.optional(z.strictObject({ deadLetterTargetArn: z.string(), maxReceiveCount: number })),
  // The only disk is the user's own, which has its own encryption.
  SqsManagedSseEnabled: ignored,
  Tags: ignored,
});

const MAX_NAME_LENGTH = 80;

/**
 * Returns the queue URL for code of the stacks. The SDK sends each request to this URL, unless its client sets an
 * endpoint, as the clients of this folder do.
 */
export const queueUrl = ({ proxyUrl }: { readonly proxyUrl: string }, name: string): string =>
  `${proxyUrl}/${account.id}/${name}`;

export const queue = run(queueSchema, async (resource, cloud) => {
  const { QueueName: name = physicalName(resource, MAX_NAME_LENGTH), RedrivePolicy, ...settings } = resource.properties;
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

/** Deletes the queues that no template declares any longer, as CloudFormation does when a stack is updated. */
export async function deleteUndeclaredQueues(cloud: Cloud): Promise<void> {
  const { QueueUrls = [] } = await cloud.sqs.send(new ListQueuesCommand({ MaxResults: 1000 }));
  const names = QueueUrls.map((url) => url.split('/').at(-1) ?? '').filter((name) => !cloud.queues.has(name));
  await Promise.all(names.map((name) => cloud.sqs.send(new DeleteQueueCommand({ QueueUrl: queueUrl(cloud, name) }))));
}
