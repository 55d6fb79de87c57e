/** What makes each alarm go off. An alarm without a row fails the test. */
import { PurgeQueueCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { DEFAULT_DEPLOYMENT } from '../../core/deployment.ts';
import type { Release } from '../../core/endpoints/release.ts';
import { OPEN_CALLS_METRIC } from '../../core/http/ingress.ts';
import { cancel } from '../../core/jobs/cancel.ts';
import { DAY } from '../../core/limits.ts';
import { finish } from '../../core/workers/report.ts';
import { volumeFields } from '../../core/workers/volume-metrics.ts';
import { startJob, submitJob } from '../jobs/scripted-job.ts';
import { ENDPOINT, type WatchedDeployment } from './watched-deployment.ts';

/**
 * `fault`: a fault of the deployment, which its functions measure. `line`: the line that a function or an agent writes
 * about a fault. `replay`: data points as AWS publishes them, because only AWS can measure the fault.
 */
export const ways = ['fault', 'line', 'replay'] as const;

export interface Cause {
  readonly way: (typeof ways)[number];
  /** What happens in each minute until the alarm goes off. */
  readonly happens: (watched: WatchedDeployment) => unknown;
  /** Ends the fault. */
  readonly ends?: (watched: WatchedDeployment) => unknown;
  /** What happens in each minute afterwards. */
  readonly follows?: (watched: WatchedDeployment) => unknown;
  /** Whether AWS does not measure as usual meanwhile. */
  readonly isInstead?: true;
}

/** Values of metrics that AWS publishes in each minute of a fault. */
const replayed = (values: Readonly<Record<string, number>>) => (alarm: string) => ({
  way: 'replay' as const,
  isInstead: true as const,
  happens: (watched: WatchedDeployment) => watched.put(alarm, values),
});

/** A message in a dead-letter queue. */
const deadLetter = (alarm: string): Cause => {
  let isSent = false;
  const queueIn = ({ queues }: WatchedDeployment) => ({ QueueUrl: queues.get(alarm) });
  return {
    way: 'fault',
    async happens(watched) {
      if (!isSent) await watched.sqs.send(new SendMessageCommand({ ...queueIn(watched), MessageBody: '{}' }));
      isSent = true;
    },
    ends: (watched) => watched.sqs.send(new PurgeQueueCommand(queueIn(watched))),
  };
};

/** A job that no worker takes, because none comes. */
const unserved = (): Cause => {
  let id: string | undefined;
  return {
    way: 'fault',
    async happens({ ports }) {
      id ??= await submitJob(ports, ENDPOINT, { ttl: DAY });
    },
    ends: ({ ports }) => cancel(ports, { endpoint: ENDPOINT, id: id ?? '' }),
  };
};

/** Deliveries of webhooks that have failed. */
const failedDeliveries = (): Cause => ({
  way: 'line',
  happens: ({ printed }) =>
    printed(({ countDelivery }) => {
      for (let n = 0; n < 4; n += 1) countDelivery(ENDPOINT, true);
    }),
});

const GB = 2 ** 30;

/** A volume with more than its size. */
function fullVolume(): Cause {
  const printSize = (bytes: number) => (watched: WatchedDeployment) => {
    const measured = { bytes, entries: 1, unreadable: 0, complete: true };
    watched.print(JSON.stringify(volumeFields(ENDPOINT, measured, { gb: 10, deployment: DEFAULT_DEPLOYMENT }, 0)));
  };
  return { way: 'line', happens: printSize(11 * GB), follows: printSize(GB) };
}

const source = { blueprint: 'task-definition/b:1', template: { id: 'official', version: 1 } };
const rolledBack: Release = {
  ...{ ...source, revision: 'task-definition/r:1', startedAt: 0, endedAt: 0, settledAt: 0, state: 'COMPLETED' },
  refused: { ...source, template: { id: 'official', version: 2 }, startedAt: 1, endedAt: 2, reason: 'Workers exit.' },
};

/** The table: creates the cause of an alarm from its name. */
export const causes: Readonly<Record<string, (alarm: string) => Cause>> = {
  // Of each endpoint
  AlarmsFailing: () => ({
    way: 'fault',
    async happens({ ports }) {
      for (let n = 0; n < 4; n += 1) await finish(ports, await startJob(ports, ENDPOINT), { error: `no seed ${n}` });
    },
  }),
  AlarmsNoWorker: unserved,
  AlarmsWaiting: unserved,
  MessagesDeadLettersFilled: deadLetter,
  WorkersVolumeFull: fullVolume,

  // Of an endpoint whose file sets them
  AlarmsRolledBack: () => {
    let isBegun = false;
    return {
      way: 'fault',
      async happens({ ports }) {
        if (!isBegun) await ports.endpoints.setRelease(ENDPOINT, undefined, rolledBack);
        isBegun = true;
      },
      ends: ({ ports }) => ports.endpoints.forgetService(ENDPOINT),
    };
  },
  AlarmsVolumeHigh: fullVolume,
  AlarmsWebhooksFailing: failedDeliveries,

  // Of the deployment
  AlarmsApiFailing: replayed({ '5XXError': 6 }),
  AlarmsConcurrencyHigh: replayed({ ConcurrentExecutions: 1_000_000 }),
  AlarmsFunctionsThrottled: replayed({ Throttles: 11 }),
  AlarmsLaunchesFailing: replayed({ Errors: 4 }),
  AlarmsLedgerBehind: replayed({ IteratorAge: 120_000 }),
  AlarmsSweeperSilent: replayed({}),
  AlarmsWaitsHigh: replayed({ [OPEN_CALLS_METRIC]: 1_000_000 }),
  IngressDirectUnhealthy: replayed({ HealthyHostCount: 0 }),
  IngressGatewayUnhealthy: replayed({ HealthyHostCount: 0 }),
  LedgerDeadLettersFilled: deadLetter,
  ReleasesRolloutDeadLettersFilled: deadLetter,
  SetAsideUnreadable: () => ({
    way: 'line',
    happens: ({ printed }) =>
      printed(({ reportSetAside }) =>
        reportSetAside([{ table: 'jobs', partition: `${ENDPOINT}#0`, endpoint: ENDPOINT, reason: 'no valid job' }]),
      ),
  }),
  WebhooksAlarmFailing: failedDeliveries,
  WebhooksDeadLettersFilled: deadLetter,
};
