/** The table of the history, and its grants. */
import type { Construct } from 'constructs';
import type { Grantee } from '../constructs/grantee.ts';
import type { Reason } from '../constructs/reasons.ts';
import { RetainedTable } from '../constructs/retained-table.ts';
import { historyDaysOf } from './history-days.ts';

/** When the sums of the past are corrected. */
const ONLY_LATE = 'only if something is stored more than two minutes late.';

/**
 * The history of ended jobs and workers, one item of less than 1 KB for each, and the sums of endpoints by minute, hour
 * and day. It has no index and no stream.
 */
export class HistoryTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'HISTORY_TABLE', partitionKey: 'endpoint', sortKey: 'item', expires: true });
  }

  grantAdd(grantee: Grantee, reason: Reason): void {
    grantee.addEnvironment('HISTORY_DAYS', String(historyDaysOf(this)));
    this.grant(grantee, ['BatchWriteItem'], reason);
  }

  grantReadSums(grantee: Grantee, reason: Reason): void {
    grantee.addEnvironment('HISTORY_DAYS', String(historyDaysOf(this)));
    this.grant(grantee, ['GetItem', 'Query'], reason);
  }

  grantReadTotals(grantee: Grantee, reason: Reason): void {
    grantee.addEnvironment('HISTORY_DAYS', String(historyDaysOf(this)));
    this.grant(grantee, ['BatchGetItem'], reason);
  }

  /** Lets the grantee sum what happened, and store the sums. */
  grantSum(grantee: Grantee): void {
    grantee.addEnvironment('HISTORY_DAYS', String(historyDaysOf(this)));
    this.grant(grantee, ['GetItem', 'Query', 'UpdateItem'], {
      GetItem: 'Reads up to when an endpoint is summed.',
      Query: 'Reads the jobs, attempts and workers that have ended since the last sum, and the workers that live.',
      UpdateItem: 'Stores the sums of an endpoint, up to when it is summed, and the numbers of jobs of its workers.',
    });
  }

  /** Lets the grantee add what happened, and correct the sums of its time. */
  grantAddLate(grantee: Grantee, reason: Reason): void {
    this.grantAdd(grantee, reason);
    this.grant(grantee, ['GetItem', 'UpdateItem'], {
      GetItem: { reason: 'Reads up to when an endpoint is summed.', sometimes: ONLY_LATE },
      UpdateItem: {
        reason: 'Lets minutes be summed once more in which something happened that is stored late.',
        sometimes: ONLY_LATE,
      },
    });
  }

  /** Lets the grantee store workers that start and stop. */
  grantFollowWorkers(grantee: Grantee): void {
    this.grantAddLate(grantee, 'Stores the workers that have stopped, and conditions of endpoints.');
    this.grant(grantee, ['PutItem', 'DeleteItem'], {
      PutItem: 'Stores the workers that live.',
      DeleteItem: 'Removes a worker that has stopped from those that live.',
    });
  }

  /** Lets the grantee read how many jobs have ended on each worker. */
  grantReadJobCounts(grantee: Grantee): void {
    grantee.addEnvironment('HISTORY_DAYS', String(historyDaysOf(this)));
    this.grant(grantee, ['BatchGetItem'], {
      reason: 'Reads how many jobs have ended on the workers.',
      sometimes: 'only if the endpoint has had workers.',
    });
  }

  grantRead(grantee: Grantee, reason: Reason): void {
    grantee.addEnvironment('HISTORY_DAYS', String(historyDaysOf(this)));
    this.grant(grantee, ['Query'], reason);
  }
}
