import type { Reason } from './reasons.ts';

/** Why roles may do what webhooks need. */
export const webhookReasons: readonly Reason[] = [
  {
    roles: ['Platform/IngressTaskTask', 'Platform/JobsStatus'],
    actions: ['dynamodb:GetItem'],
    resources: ['deliveries table'],
    why: 'Tells what has become of the webhook of a job.',
  },
  {
    roles: ['Platform/JobsRetry'],
    actions: ['dynamodb:UpdateItem'],
    resources: ['deliveries table'],
    why: 'Keeps the job as it was at its end, for a webhook that is not delivered yet.',
  },
  {
    roles: ['Platform/JobsWebhooks'],
    actions: ['dynamodb:GetItem', 'dynamodb:Query'],
    resources: ['deliveries table'],
    why: 'Lists deliveries that have failed, and reads what has become of each.',
  },
  {
    roles: ['Platform/JobsResend'],
    actions: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:UpdateItem'],
    resources: ['deliveries table'],
    why: 'Looks whether the delivery has failed, gives it its tries back, and takes it from the list.',
  },
  {
    roles: ['Platform/JobsResend'],
    actions: ['dynamodb:GetItem'],
    resources: ['jobs table'],
    why: 'Reads the job whose end is to be told again.',
  },
  {
    roles: ['Platform/JobsResend'],
    actions: ['dynamodb:PutItem'],
    resources: ['deadlines table'],
    why: 'Notes that the delivery is to be looked after, in case nothing starts it.',
  },
  {
    roles: ['Platform/WebhooksPipe'],
    actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
    resources: ['stream of the jobs table'],
    why: 'Reads which jobs have ended.',
  },
  {
    roles: ['Platform/WebhooksPipe'],
    actions: ['dynamodb:ListStreams'],
    resources: ['no resource'],
    why: 'Asked for when a pipe begins to read a stream; IAM knows no narrower resource.',
  },
  {
    roles: ['Platform/WebhooksPipe'],
    actions: ['sqs:SendMessage'],
    resources: ["webhooks' dead letters"],
    why: 'Puts aside changes for which no execution could be started.',
  },
  {
    roles: ['Platform/WebhooksPipe', 'Platform/SweeperSweep', 'Platform/JobsResend'],
    actions: ['states:StartExecution'],
    resources: ['state machine of deliveries'],
    why: 'Starts a delivery: of a job that has ended, of one that should have been told of for long, or of one that is to be told again.',
  },
  {
    roles: ['Platform/WebhooksDelivery'],
    actions: ['lambda:InvokeFunction'],
    resources: ['function that calls receivers'],
    why: 'Makes a try.',
  },
  {
    roles: ['Platform/WebhooksDeliver'],
    actions: ['dynamodb:GetItem'],
    resources: ['jobs table'],
    why: 'Reads the job of a delivery that is made again; at first the stream has told it.',
  },
  {
    roles: ['Platform/WebhooksDeliver'],
    actions: ['dynamodb:GetItem'],
    resources: ['payloads table'],
    why: 'Loads what it sends if it has more than 200 bytes, and a long address.',
  },
  {
    roles: ['Platform/WebhooksDeliver'],
    actions: ['s3:GetObject'],
    resources: ['all payload objects'],
    why: 'Loads what it sends if it has more than 7 KB.',
  },
  {
    roles: ['Platform/WebhooksDeliver'],
    actions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
    resources: ['deliveries table'],
    why: 'Claims each try, notes what has come of it, lists what has failed, and reads the job as it was if it was retried.',
  },
  {
    roles: ['Platform/WebhooksDeliver'],
    actions: ['dynamodb:GetItem', 'dynamodb:PutItem'],
    resources: ['signing table'],
    why: 'Reads the secrets that sign, and makes the first one of an endpoint.',
  },
  {
    roles: ['Platform/WebhooksDeliver'],
    actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
    resources: ['key of secrets'],
    why: 'Opens the secrets that sign and seals the first one; by the context, none of jobs.',
  },
  {
    roles: ['Platform/SweeperSweep'],
    actions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
    resources: ['deliveries table'],
    why: 'Looks whether deliveries are over, and ends those that cannot be made any more.',
  },
];
