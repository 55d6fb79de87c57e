/** Measures whether the heap of `npm start` grows from job to job, after the collection of its garbage. */
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { sharedAssembly } from '../../../test/acceptance/assembly.ts';
import { collectHeaps } from '../../../test/support/heaps.ts';
import { type Inspector, openInspector } from '../../../test/support/inspector.ts';
import { type Service, startService } from '../../../test/support/service.ts';
import { heapGrowth, type Sample } from '../bench/memory/figures.ts';
import { type Load, openLoad } from '../bench/memory/load.ts';
import { type Clients, createClients } from '../bench/waiting-calls/clients.ts';

/** Jobs after which V8 has compiled nearly all code, and jobs that are measured. */
const WARM_UP = 1_500;
const MEASURED = 1_000;
const STEPS = 4;
/**
 * Maximum growth in MB per 1,000 jobs. Without a leak, compiled code and the lines of logs that are kept in memory vary
 * by about 1 MB; a leak of each job's requests would be at least 10 MB.
 */
const TOLERANCE = 3;
/** Milliseconds for all jobs on a busy machine. On an idle one they take about a minute. */
const TIME_LIMIT = 480_000;

let service: Service;
let clients: Clients;
let load: Load;
let inspector: Inspector;

beforeEach(async () => {
  service = await startService(await sharedAssembly(), { nodeArguments: ['--inspect=127.0.0.1:0'], isLogged: false });
  clients = createClients(service);
  load = await openLoad(clients);
  inspector = await openInspector(service.inspectorUrl ?? '');
});

afterEach(async () => {
  inspector.close();
  load.stop();
  clients.stop();
  await service.stop();
});

it(
  'has the same heap after 1,500 and after 2,500 jobs',
  async () => {
    const samples: Sample[] = [];
    const measure = async (jobs: number) =>
      void samples.push({ jobs, processes: [], heaps: await collectHeaps(inspector), state: 0 });
    await load.run(WARM_UP);
    await measure(WARM_UP);
    for (let step = 1; step <= STEPS; step += 1) {
      await load.run(MEASURED / STEPS);
      await measure(WARM_UP + (MEASURED * step) / STEPS);
    }
    const growth = heapGrowth(samples);
    process.stdout.write(`growth of the heaps after collection: ${growth.toFixed(2)} MB per 1,000 jobs\n`);
    expect(growth).toBeLessThan(TOLERANCE);
  },
  TIME_LIMIT,
);
