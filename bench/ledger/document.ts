/** The tables' place in docs/performance.md. */
import { placeOf } from '../document.ts';

export const ledgerPlace = placeOf('performance.md', 'ledger', 'npm run bench:ledger -- --record');
