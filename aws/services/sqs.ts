/** The operations of SQS that this project uses. Their inputs and outputs are those of `@aws-sdk/client-sqs`. */
import type * as sdk from '@aws-sdk/client-sqs';
import { hasFipsName, hostNamed, type Service } from './configuration.ts';
import { jsonCommandOf } from './json-operation.ts';
import { ServiceClient } from './service-client.ts';

const sqs: Service = {
  serviceId: 'SQS',
  signingName: 'sqs',
  timeouts: 'sqs',
  hostOf: hostNamed('sqs', hasFipsName),
};

export class QueueClient extends ServiceClient {
  constructor() {
    super(sqs);
  }
}

const operation = <Input extends { readonly QueueUrl: string | undefined }, Output extends object>(name: string) =>
  jsonCommandOf<Input, Omit<Output, '$metadata'>>(
    { target: 'AmazonSQS', contentType: 'application/x-amz-json-1.0' },
    {
      name,
      // The address of a queue can differ from the address of the Region's SQS.
      origin: ({ QueueUrl }) => new URL(QueueUrl ?? '').origin,
    },
  );

export class SendMessageCommand extends operation<sdk.SendMessageCommandInput, sdk.SendMessageCommandOutput>(
  'SendMessage',
) {}
export class ReceiveMessageCommand extends operation<sdk.ReceiveMessageCommandInput, sdk.ReceiveMessageCommandOutput>(
  'ReceiveMessage',
) {}
export class ChangeMessageVisibilityCommand extends operation<
  sdk.ChangeMessageVisibilityCommandInput,
  sdk.ChangeMessageVisibilityCommandOutput
>('ChangeMessageVisibility') {}
export class DeleteMessageCommand extends operation<sdk.DeleteMessageCommandInput, sdk.DeleteMessageCommandOutput>(
  'DeleteMessage',
) {}
export class DeleteMessageBatchCommand extends operation<
  sdk.DeleteMessageBatchCommandInput,
  sdk.DeleteMessageBatchCommandOutput
>('DeleteMessageBatch') {}
