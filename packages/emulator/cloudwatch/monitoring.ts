/** Each minute: measures what has no events of its own, then evaluates the alarms. */
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import type { Cloud } from '../cloud.ts';
import { queueUrl } from '../cloudformation/resources/sqs.ts';
import { type Clock, systemClock } from '../ecs/clock.ts';
import { MINUTE } from './metrics.ts';

type Measured = Pick<Cloud, 'sqs' | 'proxyUrl' | 'queues' | 'loadBalancers' | 'metrics' | 'alarms'>;

/** Milliseconds after the end of a minute in which its last log lines arrive. */
const DELAY = 5_000;

async function measureQueue({ sqs, proxyUrl, metrics }: Measured, QueueName: string, at: number): Promise<void> {
  const AttributeNames = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: queueUrl({ proxyUrl }, QueueName), AttributeNames: [...AttributeNames] }),
  );
  const [visible, taken] = AttributeNames.map((name) => Number(Attributes[name]));
  const sizes = { ApproximateNumberOfMessagesVisible: visible ?? 0, ApproximateNumberOfMessagesNotVisible: taken ?? 0 };
  metrics.put('AWS/SQS', { QueueName }, sizes, at);
}

/** Returns the last part of the ARN of a load balancer or target group, as dimensions contain it. */
const fullNameOf = (arn: string) => arn.split(':').at(-1) ?? '';

function measureTargets({ loadBalancers, metrics }: Measured, at: number): void {
  for (const { arn, listeners, healthy } of loadBalancers.targetGroups.values())
    for (const listener of listeners) {
      const LoadBalancer = fullNameOf(listener).split('/').slice(1, 4).join('/');
      const dimensions = { TargetGroup: fullNameOf(arn), LoadBalancer };
      metrics.put('AWS/ApplicationELB', dimensions, { HealthyHostCount: healthy() }, at);
    }
}

/** Measures queues and load balancers at the end of the minute that is over. */
async function measure(cloud: Measured, end: number): Promise<void> {
  measureTargets(cloud, end - 1);
  // A queue that cannot be read now has no data, as in AWS.
  await Promise.allSettled([...cloud.queues].map((name) => measureQueue(cloud, name, end - 1)));
}

/**
 * Begins to evaluate the alarms.
 * @returns function that stops it
 */
export function startMonitoring(cloud: Measured, clock: Clock = systemClock): () => void {
  const stopping = new AbortController();
  async function run(): Promise<void> {
    let since = clock.now();
    for (;;) {
      const evaluated = clock.now() - DELAY;
      const end = evaluated - (evaluated % MINUTE) + MINUTE;
      await clock.sleep(end + DELAY - clock.now(), stopping.signal);
      if (stopping.signal.aborted) return;
      // The machine was suspended, and nothing could be measured.
      if (clock.now() > end + DELAY + MINUTE) since = clock.now();
      await measure(cloud, end);
      cloud.alarms.evaluate(since);
    }
  }
  void run();
  return () => stopping.abort();
}
