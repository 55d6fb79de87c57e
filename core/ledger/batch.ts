import { SECOND } from '../limits.ts';

/** A batch of the ledger: it ends at this number of changes, or this long after its first change. */
export const ledgerBatch = { changes: 100, window: SECOND } as const;
