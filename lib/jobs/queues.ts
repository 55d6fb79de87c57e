import { Duration } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { type IQueue, Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { DAY, LEASE, policyLimits } from '../../core/limits.ts';
import type { Grantee } from '../constructs/grantee.ts';
import { explain } from '../constructs/reasons.ts';
import { queueNames, sendingMessages } from './queue-senders.ts';

/** SQS's maximum. Workers return messages that they cannot use yet. Only unreadable messages become dead letters. */
const RECEIVES = 1_000;

const protectedQueue: QueueProps = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };

/**
 * The queues of one endpoint. Low-priority jobs have separate queues. Even and odd generations also have separate
 * queues, so that messages of purged jobs do not delay later jobs (docs/adr/0006).
 */
export class JobQueues extends Construct {
  /** URLs of the queue of even generations and the queue of odd generations. */
  readonly normalUrls: [string, string];
  readonly lowUrls: [string, string];
  readonly #queues: readonly Queue[];

  constructor(scope: Construct, id: string, deadLetters: IQueue) {
    super(scope, id);
    const normal = [this.#queue('NormalEven', deadLetters), this.#queue('NormalOdd', deadLetters)] as const;
    const low = [this.#queue('LowEven', deadLetters), this.#queue('LowOdd', deadLetters)] as const;
    this.#queues = [...normal, ...low];

    // The queues' own policies admit the senders, because the stack of the senders does not refer to endpoints.
    for (const queue of this.#queues) queue.addToResourcePolicy(sendingMessages(queue));

    this.normalUrls = [normal[0].queueUrl, normal[1].queueUrl];
    this.lowUrls = [low[0].queueUrl, low[1].queueUrl];
  }

  /** Lets the grantee receive, hide and delete messages, and send a message for a requeued job. */
  grantConsume(grantee: Grantee): void {
    const actions = ['ReceiveMessage', 'ChangeMessageVisibility', 'DeleteMessage', 'SendMessage'];
    const reason =
      'Receives messages, makes them visible to other workers, deletes them, and sends a message for a job that it requeues.';
    explain(grantee, 'sqs', actions, queueNames, reason);
    Grant.addToPrincipal({
      grantee,
      actions: actions.map((action) => `sqs:${action}`),
      resourceArns: this.#queues.map(({ queueArn }) => queueArn),
    }).assertSuccess();
    grantee.addEnvironment('NORMAL_QUEUE_URLS', this.normalUrls.join(' '));
    grantee.addEnvironment('LOW_QUEUE_URLS', this.lowUrls.join(' '));
  }

  #queue(id: string, deadLetters: IQueue): Queue {
    return new Queue(this, id, {
      ...protectedQueue,
      // A message must outlive the longest wait that a job can have.
      retentionPeriod: Duration.millis(policyLimits.ttl.max + DAY),
      visibilityTimeout: Duration.millis(LEASE),
      receiveMessageWaitTime: Duration.seconds(20),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: RECEIVES },
    });
  }
}
