/** Tests rates with thousands of requests. `rates.test.ts` has the operations with small limits. */
import { describeRates } from './rates.ts';

describeRates(['run', 'runsync', 'status']);
