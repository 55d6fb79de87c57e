/** The ingress holds calls that wait: an account with a tenth as many concurrent executions serves all else. */
import { sharedAssembly } from './assembly.ts';
import { describeWaits } from './waits.ts';

describeWaits({ args: async () => ['--assembly', await sharedAssembly()], concurrency: 20, waiting: 200 });
