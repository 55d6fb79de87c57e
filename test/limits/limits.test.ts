/** Tests limits with small numbers, and one with slots. `limits.long.ts` tests all. */
import { describeLimits } from './limits.ts';

describeLimits({ tasks: [3], operations: ['runsync', 'cancel', 'purge-queue', 'requests'], direct: ['run'] });
