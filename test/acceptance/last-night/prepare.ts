/** Stores what happened in a week on two endpoints of the service of this machine, as its ledger and its functions do. */
import { randomBytes } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { createDocumentClient } from '../../../aws/clients.ts';
import { createEndpoints } from '../../../aws/endpoints/endpoints.ts';
import {
  createAttemptHistory,
  createDeliveryHistory,
  createEventHistory,
  createJobHistory,
  createLateJobHistory,
  createWorkerHistory,
} from '../../../aws/history/history.ts';
import { createOpenWorkers } from '../../../aws/history/open-workers.ts';
import { createUsageSums } from '../../../aws/history/usage-sums.ts';
import { createWorkerJobCounts } from '../../../aws/history/worker-job-counts.ts';
import { systemClock } from '../../../core/clock.ts';
import { withDollars } from '../../../core/history/cost.ts';
import type { EndedJob } from '../../../core/history/ended-job.ts';
import { fingerprintOf } from '../../../core/history/fingerprint.ts';
import { jobId } from '../../../core/jobs/id.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../core/limits.ts';
import { sumEndpoint } from '../../../core/usage/sum.ts';

const price = { hour: 1.212, date: '2026-08-21', region: 'us-east-1' };
const KEYS = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb'] as const;
const ERROR = 'CUDA out of memory. Tried to allocate 2.50 GiB';

export const night = {
  endpoint: 'echo',
  worker: 'worker-of-release-2',
  key: KEYS[0],
  revision: 2,
  failed: 12,
} as const;

export interface TableNames {
  readonly HistoryTable: string;
  readonly EndpointsTable: string;
}

/**
 * @param outputs of the service
 * @param now end of the week
 */
export async function prepareWeek(outputs: TableNames, now: number): Promise<void> {
  const documents = createDocumentClient();
  const clock = systemClock;
  const table = { table: outputs.HistoryTable, days: 30 };
  const endpoints = createEndpoints(documents, outputs.EndpointsTable, clock);
  const ports = {
    ...{ clock, endpoints },
    attemptHistory: createAttemptHistory(documents, table, clock),
    deliveryHistory: createDeliveryHistory(documents, table, clock),
    jobHistory: createJobHistory(documents, table, clock),
    lateJobHistory: createLateJobHistory(documents, table, clock),
    openWorkers: createOpenWorkers(documents, table, clock),
    usageSums: createUsageSums(documents, table, clock),
    workerHistory: createWorkerHistory(documents, table, clock),
    workerJobCounts: createWorkerJobCounts(documents, table, clock),
    jobs: { readMany: async () => [] } as never,
  };

  /** A job of one minute that ended then. */
  function jobAt(finishedAt: number, endpoint: string, differences: Partial<EndedJob> = {}): EndedJob {
    const startedAt = finishedAt - 40 * SECOND;
    const row: EndedJob = {
      ...{ endpoint, id: jobId('run', startedAt, randomBytes(32)), owner: 'ada', key: KEYS[1], status: 'COMPLETED' },
      ...{ worker: 'worker-of-release-1', revision: 1, attempts: 1, rescues: 0, retries: 0, workerTime: 40 * SECOND },
      ...{ acceptedAt: startedAt - 2 * SECOND, queuedAt: startedAt - 2 * SECOND, startedAt, finishedAt },
      ...differences,
    };
    return withDollars(row, price);
  }

  const end = now - (now % HOUR) - HOUR;
  const days = Array.from({ length: 7 }, (_, day) => ({ worker: `worker-of-day-${day}`, endedAt: end - day * DAY }));
  const week = ['echo', 'echo-http'].flatMap((endpoint) =>
    days.flatMap(({ worker, endedAt }) =>
      Array.from({ length: 18 }, (_, n) => jobAt(endedAt - n * 10 * MINUTE, endpoint, { worker })),
    ),
  );
  const fingerprint = fingerprintOf('WORKER_ERROR', ERROR);
  const failed = Array.from({ length: night.failed }, (_, n) =>
    jobAt(end - 5 * HOUR + n * 5 * MINUTE, night.endpoint, {
      ...{ status: 'FAILED', code: 'WORKER_ERROR', error: ERROR, fingerprint },
      ...{ key: night.key, worker: night.worker, revision: night.revision },
    }),
  );
  await ports.jobHistory.save([...week, ...failed]);
  await ports.workerHistory.save(
    [
      { worker: night.worker, revision: 2, from: end - 5 * HOUR - 2 * MINUTE, endedAt: end - 4 * HOUR },
      ...days.map(({ worker, endedAt }) => ({ worker, revision: 1, from: endedAt - 3 * HOUR, endedAt })),
    ].map(({ from, ...row }) => ({
      ...{ endpoint: night.endpoint, ...row, stopCode: 'EssentialContainerExited', exitCode: 1, container: 'worker' },
      ...{ createdAt: from, placedAt: from, startedAt: from + MINUTE, readyAt: from + MINUTE, stoppedAt: row.endedAt },
      reason: 'Essential container in task exited',
    })),
  );
  const events = createEventHistory(documents, table, clock);
  await events.add({
    ...{ endpoint: night.endpoint, kind: 'TEMPLATE', at: end - 5 * HOUR - 3 * MINUTE, template: 'endpoint-echo' },
    ...{ version: 2, fields: ['imageName'], by: { kind: 'key', id: night.key, name: 'ci' } },
    detail: 'A larger model',
  });

  for (const id of ['echo', 'echo-http']) {
    const endpoint = await endpoints.readNow(id);
    if (!endpoint) throw new Error(`${id} does not exist.`);
    await documents.send(
      new PutCommand({ TableName: table.table, Item: { endpoint: id, item: 'summed', to: end - 7 * DAY - HOUR } }),
    );
    // The sweeper can store its own sum meanwhile.
    for (let tries = 0; tries < 3; tries += 1) await sumEndpoint(ports, { ...endpoint, workerPrice: price }, []);
  }
}
