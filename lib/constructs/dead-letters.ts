import { Duration } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import { alarmAbove } from './alarm.ts';

/** A dead-letter queue, and an alarm while it has messages. */
export class DeadLetters extends Queue {
  /** @param what messages of the queue, such as `changes that ...` */
  constructor(scope: Construct, id: string, what: string) {
    super(scope, id, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    acknowledge(this, { SQS3: 'This queue is itself a dead-letter queue.' });
    const period = Duration.minutes(5);
    alarmAbove(this, 'Filled', {
      text: `A dead-letter queue has ${what}.`,
      entry: 'deadLetters',
      metric: this.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM, period }),
      above: 0,
    });
  }
}
