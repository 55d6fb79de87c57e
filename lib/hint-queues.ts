import { Duration } from 'aws-cdk-lib';
import { ArnPrincipal, Grant, type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { DAY, LEASE, policyLimits } from '../core/limits.ts';
import type { Client } from './client.ts';

/** SQS's maximum. Workers hand hints back as long as they cannot use them; only one that none can read is dead. */
const RECEIVES = 1_000;

const protectedQueue: QueueProps = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };

/** The hints of one endpoint: which jobs to look at. Low-priority jobs have a queue of their own. */
export class HintQueues extends Construct {
  readonly normalUrl: string;
  readonly lowUrl: string;
  readonly #queues: readonly Queue[];

  /** @param senders the roles that may send hints; the queues say so, because their stack knows no endpoint */
  constructor(scope: Construct, id: string, senders: readonly IRole[]) {
    super(scope, id);
    const normal = this.#queue('Normal');
    const low = this.#queue('Low');

    for (const queue of [normal, low]) {
      queue.addToResourcePolicy(
        new PolicyStatement({
          principals: senders.map(({ roleArn }) => new ArnPrincipal(roleArn)),
          actions: ['sqs:SendMessage'],
          resources: [queue.queueArn],
        }),
      );
    }

    this.#queues = [normal, low];
    this.normalUrl = normal.queueUrl;
    this.lowUrl = low.queueUrl;
  }

  /** To receive hints, hide them while their job runs, delete them, and give a job back with a new one. */
  grantConsume(client: Client): void {
    Grant.addToPrincipal({
      grantee: client,
      actions: ['sqs:ReceiveMessage', 'sqs:ChangeMessageVisibility', 'sqs:DeleteMessage', 'sqs:SendMessage'],
      resourceArns: this.#queues.map(({ queueArn }) => queueArn),
    }).assertSuccess();
    client.addEnvironment('NORMAL_QUEUE_URL', this.normalUrl);
    client.addEnvironment('LOW_QUEUE_URL', this.lowUrl);
  }

  #queue(id: string): Queue {
    const deadLetters = new Queue(this, `${id}DeadLetters`, { ...protectedQueue, retentionPeriod: Duration.days(14) });
    return new Queue(this, id, {
      ...protectedQueue,
      // A hint must outlive the longest wait that a job may ask for.
      retentionPeriod: Duration.millis(policyLimits.ttl.max + DAY),
      visibilityTimeout: Duration.millis(LEASE),
      receiveMessageWaitTime: Duration.seconds(20),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: RECEIVES },
    });
  }
}
