import { Duration } from 'aws-cdk-lib';
import { Grant, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnPipe } from 'aws-cdk-lib/aws-pipes';
import { Construct } from 'constructs';
import { webhookAttempts } from '../../core/limits.ts';
import { acknowledge } from '../constructs/acknowledge.ts';
import { DeadLetters } from '../constructs/dead-letters.ts';
import { ServiceFunction } from '../constructs/function.ts';
import { explain } from '../constructs/reasons.ts';
import type { HistoryTable } from '../history/table.ts';
import type { PayloadBucket } from '../jobs/payload-bucket.ts';
import type { SecretsKey } from '../jobs/secrets-key.ts';
import type { JobsTable, PayloadsTable } from '../jobs/tables.ts';
import { letKeepDeliveries } from '../telemetry/telemetry.ts';
import { WebhookAlarm } from './alarm.ts';
import { DeliveryMachine } from './delivery-machine.ts';
import { setWebhookNetworks } from './networks.ts';
import type { DeliveriesTable, SigningTable } from './tables.ts';

export interface WebhooksProps {
  readonly jobs: JobsTable;
  readonly payloads: PayloadsTable;
  readonly objects: PayloadBucket;
  readonly deliveries: DeliveriesTable;
  readonly history: HistoryTable;
  readonly secrets: SecretsKey;
  readonly signing: SigningTable;
}

const ENDED = ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'];
const NOT_ENDED = ['IN_QUEUE', 'IN_PROGRESS'];

/**
 * Matches only changes in which a job with a webhook ends. Purged jobs have no delivery.
 * @param place attribute with the webhook's URL. `exists` works only on values, so each attribute has its own pattern
 */
const endOfJob = (place: 'inline' | 'stored') => ({
  eventName: ['MODIFY'],
  dynamodb: {
    OldImage: { status: { S: NOT_ENDED } },
    NewImage: {
      status: { S: ENDED },
      code: { S: [{ exists: false }, { 'anything-but': ['PURGED'] }] },
      webhook: { M: { [place]: { S: [{ exists: true }] } } },
    },
  },
});

/**
 * Delivers webhooks of jobs that have ended: the jobs stream, a pipe, a state machine, and the only function that
 * calls receivers.
 */
export class Webhooks extends Construct {
  readonly deliver: ServiceFunction;
  readonly machine: DeliveryMachine;
  readonly alarm: WebhookAlarm;

  constructor(scope: Construct, id: string, props: WebhooksProps) {
    super(scope, id);
    const { jobs, payloads, objects, deliveries, history, secrets, signing } = props;
    this.deliver = new ServiceFunction(this, 'Deliver', {
      entry: 'lambda/webhooks/deliver.ts',
      description: 'Calls the webhook of a job that has ended.',
      timeout: Duration.millis(webhookAttempts.maxTime),
    });
    setWebhookNetworks(this.deliver);
    jobs.grantRead(
      this.deliver,
      'Reads the job of a delivery that is repeated. The event of a first delivery contains the job.',
    );
    payloads.grantChunks(
      this.deliver,
      'Reads an output, an error or a webhook URL that does not fit the item of its job.',
    );
    objects.grantRead(this.deliver, 'Loads a payload of the request if it has more than 7 KB.');
    deliveries.grantDeliver(this.deliver);
    letKeepDeliveries(this.deliver, history);
    signing.grantSign(this.deliver);
    secrets.grantSign(this.deliver);

    this.alarm = new WebhookAlarm(this, 'Alarm');
    this.alarm.countsIn(this.deliver);
    this.machine = new DeliveryMachine(this, 'Delivery', this.deliver);
    this.#follow(jobs);
  }

  /** Starts one execution for each job that ends. In a batch, fast deliveries would wait for slow deliveries. */
  #follow(jobs: JobsTable): void {
    const deadLetters = new DeadLetters(this, 'DeadLetters', 'ends of jobs for which no delivery could be started');
    const role = new Role(this, 'PipeRole', { assumedBy: new ServicePrincipal('pipes.amazonaws.com') });
    acknowledge(role, { 'IAM5[Resource::*]': 'dynamodb:ListStreams has no narrower resource.' });
    const send = { actions: ['sqs:SendMessage'], resourceArns: [deadLetters.queueArn] };
    Grant.addToPrincipal({ grantee: role, ...send }).assertSuccess();
    const setsAside = 'Sets aside changes for which no execution could be started.';
    explain(role, 'sqs', ['SendMessage'], "webhooks' dead letters", setsAside);
    this.machine.grantStart(role, 'Starts the delivery of a job that has ended.');
    const source = jobs.grantReadStream(role, {
      reads: 'Reads which jobs have ended.',
      begins: 'EventBridge lists the streams when a pipe begins to read one',
    });

    const filters = [endOfJob('inline'), endOfJob('stored')].map((pattern) => ({ pattern: JSON.stringify(pattern) }));
    const pipe = new CfnPipe(this, 'Ends', {
      description: 'Starts the delivery of a webhook when its job ends.',
      roleArn: role.roleArn,
      source,
      sourceParameters: {
        filterCriteria: { filters },
        dynamoDbStreamParameters: {
          startingPosition: 'TRIM_HORIZON',
          batchSize: 1,
          parallelizationFactor: 10,
          onPartialBatchItemFailure: 'AUTOMATIC_BISECT',
          maximumRetryAttempts: 5,
          maximumRecordAgeInSeconds: Duration.hours(6).toSeconds(),
          deadLetterConfig: { arn: deadLetters.queueArn },
        },
      },
      target: this.machine.arn,
      targetParameters: { stepFunctionStateMachineParameters: { invocationType: 'FIRE_AND_FORGET' } },
    });
    // A pipe fails to start if it is created before the permissions of its role.
    pipe.node.addDependency(role);
  }
}
