/** Tests the limits with small numbers, and one limit of waiting calls. `limits.long.ts` tests all limits. */
import { describeLimits } from './limits.ts';

describeLimits({ tasks: [3], operations: ['runsync', 'cancel', 'purge-queue', 'requests'], direct: ['run'] });
