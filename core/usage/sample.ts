/** Samples the queue and the workers of endpoints once a minute. */
import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Arrivals } from '../ledger/store.ts';
import { oldestWaiting } from '../status/waiting.ts';
import { type Lease, stateOf, type WorkerState } from '../workers/lease.ts';
import { beginOf } from './read.ts';
import type { UsageSums } from './store.ts';

export type SamplePorts = {
  readonly arrivals: Pick<Arrivals, 'earliest'>;
  readonly clock: Clock;
  readonly usageSums: UsageSums;
};

/**
 * Stores how many jobs of the endpoint wait and run, for how long the oldest one has waited, and its workers by their
 * state, in the current minute. Stores nothing if there are none.
 * @param leases of its workers
 */
export async function sampleEndpoint(ports: SamplePorts, endpoint: Endpoint, leases: readonly Lease[]): Promise<void> {
  const now = ports.clock.now();
  const { id, counts } = endpoint;
  const states: Partial<Record<WorkerState, number>> = {};
  for (const lease of leases) {
    const state = stateOf(lease, now);
    states[state] = (states[state] ?? 0) + 1;
  }
  if (counts.inQueue === 0 && counts.inProgress === 0 && Object.keys(states).length === 0) return;
  await ports.usageSums.saveSamples(id, beginOf(now, 'minute'), {
    count: 1,
    waiting: counts.inQueue,
    maxWaiting: counts.inQueue,
    oldestWaiting: (await oldestWaiting(ports, endpoint)) ?? 0,
    running: counts.inProgress,
    workers: states,
  });
}
