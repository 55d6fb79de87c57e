/**
 * Tests that the ingress holds waiting calls: an account whose limit of executions is a third of the number of
 * waiting calls serves all other calls.
 */
import { sharedAssembly } from './assembly.ts';
import { describeWaits } from './waits.ts';

describeWaits({ args: async () => ['--assembly', await sharedAssembly()], concurrency: 60, waiting: 200 });
