/** The table of the history, and its grants. */
import type { Construct } from 'constructs';
import type { Grantee } from '../constructs/grantee.ts';
import type { Reason } from '../constructs/reasons.ts';
import { RetainedTable } from '../constructs/retained-table.ts';
import { historyDaysOf } from './history-days.ts';

/** The history of ended jobs and workers: one item of less than 1 KB for each, without index and stream. */
export class HistoryTable extends RetainedTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { variable: 'HISTORY_TABLE', partitionKey: 'endpoint', sortKey: 'item', expires: true });
  }

  grantAdd(grantee: Grantee, reason: Reason): void {
    grantee.addEnvironment('HISTORY_DAYS', String(historyDaysOf(this)));
    this.grant(grantee, ['BatchWriteItem'], reason);
  }

  grantRead(grantee: Grantee, reason: Reason): void {
    grantee.addEnvironment('HISTORY_DAYS', String(historyDaysOf(this)));
    this.grant(grantee, ['Query'], reason);
  }
}
