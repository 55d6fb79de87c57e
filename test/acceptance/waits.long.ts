/** Without the ingress each call that waits is an execution: half of them, as a deployment has by default. */
import { describeWaits } from './waits.ts';

describeWaits({ args: async () => ['-c', 'ingress=off'], concurrency: 50, waiting: 25 });
