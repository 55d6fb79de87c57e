import { SECOND } from '../limits.ts';

/**
 * A batch of the ledger: it ends at this number of changes, or this long after its first change. The ledger writes the
 * same items for each batch, so under load, a small batch would cost more writes without being much earlier.
 */
export const ledgerBatch = { changes: 1_000, window: SECOND } as const;
