/** Tests waits without the ingress: each call that waits is an execution, and half of the account's may wait. */
import { describeWaits } from './waits.ts';

describeWaits({ args: async () => ['-c', 'ingress=off'], concurrency: 50, waiting: 25 });
