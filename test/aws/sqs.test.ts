/** Compares the commands of SQS with those of the SDK. */
import * as sdk from '@aws-sdk/client-sqs';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createQueueClient } from '../../aws/clients.ts';
import * as ours from '../../aws/services/sqs.ts';
import { addressesIn } from './addresses.ts';
import { signaturesOf } from './signature.ts';
import { noResponse, responseOf } from './small-aws.ts';
import { useSmallAws } from './use-small-aws.ts';

const aws = useSmallAws();
let QueueUrl: string;

beforeEach(() => {
  delete process.env.AWS_ENDPOINT_URL;
  QueueUrl = `${aws.current.url}/000000000000/normal`;
});

const message = {
  MessageId: 'm1',
  ReceiptHandle: 'receipt',
  Body: '{}',
  MD5OfBody: '99914b932bd37a50b983c5e7c90ae93b',
};
const RECEIVE = {
  MaxNumberOfMessages: 10,
  WaitTimeSeconds: 20,
  MessageSystemAttributeNames: ['SentTimestamp' as const],
};

describe('a request', () => {
  it.each<[string, (commands: typeof ours | typeof sdk) => object, object]>([
    [
      'SendMessage',
      ({ SendMessageCommand }) => new SendMessageCommand({ QueueUrl, MessageBody: '{}', DelaySeconds: 3 }),
      { MessageId: 'm1', MD5OfMessageBody: message.MD5OfBody },
    ],
    [
      'ReceiveMessage',
      ({ ReceiveMessageCommand }) => new ReceiveMessageCommand({ QueueUrl, ...RECEIVE }),
      { Messages: [message] },
    ],
    [
      'ChangeMessageVisibility',
      ({ ChangeMessageVisibilityCommand }) =>
        new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle: 'receipt', VisibilityTimeout: 0 }),
      {},
    ],
    [
      'DeleteMessage',
      ({ DeleteMessageCommand }) => new DeleteMessageCommand({ QueueUrl, ReceiptHandle: 'receipt' }),
      {},
    ],
    [
      'DeleteMessageBatch',
      ({ DeleteMessageBatchCommand }) =>
        new DeleteMessageBatchCommand({ QueueUrl, Entries: [{ Id: '0', ReceiptHandle: 'receipt' }] }),
      { Successful: [{ Id: '0' }], Failed: [] },
    ],
  ])('%s contains what the SDK sends, and has the same result', async (name, commandOf, answer) => {
    aws.current.respond(responseOf(200, JSON.stringify(answer), { 'content-type': 'application/x-amz-json-1.0' }));
    const result = await createQueueClient().send(commandOf(ours) as never);
    const expected = await new sdk.SQSClient({ endpoint: aws.current.url }).send(commandOf(sdk) as never);
    expect({ ...result, $metadata: {} }).toEqual({ ...(expected as object), $metadata: {} });
    const [own, other] = aws.current.received;
    expect(JSON.parse(String(own?.body))).toEqual(JSON.parse(String(other?.body)));
    for (const header of ['content-type', 'x-amz-target'])
      expect([header, own?.headers[header]]).toEqual([header, other?.headers[header]]);
    expect([own?.path, own?.headers['x-amz-target']]).toEqual(['/', `AmazonSQS.${name}`]);
    const { right, sent } = signaturesOf(own as never, 'secret');
    expect(sent).toBe(right);
  });

  it('is sent to the address of the queue', async () => {
    aws.current.respond(responseOf(200));
    process.env.AWS_ENDPOINT_URL = 'http://127.0.0.1:1';
    await createQueueClient().send(new ours.DeleteMessageCommand({ QueueUrl, ReceiptHandle: 'receipt' }));
    expect(aws.current.received).toHaveLength(1);
  });

  it('that waits for messages ends when its signal is aborted, and later requests are sent', async () => {
    const queues = createQueueClient();
    aws.current.respond(noResponse, responseOf(200, '{}'));
    const ending = new AbortController();
    const receive = queues.send(new ours.ReceiveMessageCommand({ QueueUrl, ...RECEIVE }), {
      abortSignal: ending.signal,
    });
    ending.abort();
    await expect(receive).rejects.toMatchObject({ name: 'AbortError' });
    aws.current.respond(responseOf(200, '{}'));
    await expect(queues.send(new ours.ReceiveMessageCommand({ QueueUrl, ...RECEIVE }))).resolves.toMatchObject({
      $metadata: { httpStatusCode: 200 },
    });
  });

  it('fails with the error of SQS', async () => {
    aws.current.respond(responseOf(400, '{"__type":"com.amazonaws.sqs#QueueDoesNotExist","message":"No queue."}'));
    const send = new ours.SendMessageCommand({ QueueUrl, MessageBody: '{}' });
    await expect(createQueueClient().send(send)).rejects.toMatchObject({
      name: 'QueueDoesNotExist',
      message: 'No queue.',
    });
  });
});

it('has the same addresses as the SDK, unless the queue has another one', async () => {
  const url = { QueueUrl: 'https://sqs.eu-west-3.amazonaws.com/000000000000/normal', ReceiptHandle: 'receipt' };
  const { own, sdk: expected } = await addressesIn({
    own: () => createQueueClient(),
    sdk: () => new sdk.SQSClient({ useQueueUrlAsEndpoint: true }),
    commands: [new ours.DeleteMessageCommand(url), new sdk.DeleteMessageCommand(url)],
  });
  expect(own).toEqual(expected);
  expect(new Set(own)).toEqual(new Set(['https://sqs.eu-west-3.amazonaws.com/']));
});
