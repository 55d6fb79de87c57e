/**
 * Tests waits without the ingress. Each waiting call is an execution, and at most half of the account's executions
 * may wait.
 */
import { describeWaits } from './waits.ts';

describeWaits({ args: async () => ['-c', 'ingress=off'], concurrency: 50, waiting: 25 });
