/** Tests that the ingress holds waiting calls: an account with a third as many executions serves all other calls. */
import { sharedAssembly } from './assembly.ts';
import { describeWaits } from './waits.ts';

describeWaits({ args: async () => ['--assembly', await sharedAssembly()], concurrency: 60, waiting: 200 });
