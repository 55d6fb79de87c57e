/** Tests every row of the contract's limits, for one task of the ingress and for three. */
import { describeLimits, operations } from './limits.ts';

describeLimits({ tasks: [1, 3], operations, direct: ['run', 'runsync', 'openai'] });
