/** A pool with endpoints over the emulators, and the function that launches and ends its instances. */
import { createDocumentClient } from '../../aws/clients.ts';
import { createPoolStates } from '../../aws/workers/pool-states.ts';
import type { EndpointConfig, Placement } from '../../core/endpoints/endpoint.ts';
import { type LaunchCause, type LaunchEffects, launch } from '../../core/fleet/launch.ts';
import { SECOND } from '../../core/limits.ts';
import type { EmulatedDeployment } from '../support/emulated-deployment.ts';
import { endpointConfig } from '../support/endpoint-config.ts';
import { EmulatedPool, type PoolOptions } from './emulated-pool.ts';

export const GPU: Placement['worker'] = { gpus: 1, cpu: 1_000, memory: 4_000 };

export interface StageOptions extends Partial<Pick<PoolOptions, 'bootTime' | 'listTime' | 'managed' | 'maxInstances'>> {
  /** Sizes of the workers, by endpoint. */
  readonly workers: Readonly<Record<string, Placement['worker']>>;
  /** GPUs of an instance. */
  readonly gpus?: number;
  /** Tasks that an instance can run. */
  readonly tasks?: number;
  readonly emptyFor?: number;
}

let stages = 0;

/** Registers the endpoints on a new pool. */
export async function startPool(
  { ports, clock }: EmulatedDeployment,
  { workers, gpus = 1, tasks = gpus, emptyFor = 180_000, ...its }: StageOptions,
) {
  stages += 1;
  const group = `pool-${stages}`;
  const instance = { gpus, cpu: gpus * 1_000, memory: gpus * 4_000, tasks };
  const { maxInstances = 30, managed = true, bootTime = () => 60 * SECOND, listTime = 0 } = its;
  const pool = new EmulatedPool({ clock, group, instance, maxInstances, managed, bootTime, listTime });
  const nameOf = (endpoint: string) => `${endpoint}-${group}`;
  const configOf = (endpoint: string, instanceGroup: string, placement?: Placement): EndpointConfig =>
    endpointConfig(nameOf(endpoint), { instanceGroup, ...(placement && { placement }), maxWorkers: 100 });
  const placementOf = (worker: Placement['worker'], provider = 'pool'): Placement => ({
    provider,
    worker,
    instance,
    maxInstances,
    emptyFor,
  });
  for (const [endpoint, worker] of Object.entries(workers))
    await ports.endpoints.register(configOf(endpoint, group, placementOf(worker)));
  // Facts from the time of the registration do not count, because a registration is a release.
  clock.advance(SECOND);
  let tokens = 0;
  const newToken = () => {
    tokens += 1;
    return `token-${tokens}`;
  };
  const poolStates = createPoolStates(createDocumentClient(), 'ENDPOINTS_TABLE');
  const { endpoints, eventHistory, workers: leases } = ports;
  const launchPorts = {
    clock,
    endpoints,
    eventHistory,
    workers: leases,
    poolStates,
    groups: pool.port,
    cluster: 'fleet',
    subnets: ['subnet-a', 'subnet-b'],
    newToken,
  };
  const call = (event?: LaunchCause): Promise<LaunchEffects> => launch(launchPorts, event);

  /** Delivers the events so far. */
  async function deliver(): Promise<void> {
    for (let event = pool.events.shift(); event; event = pool.events.shift()) await call(event);
  }

  return {
    pool,
    group,
    call,
    deliver,
    nameOf,
    fleetOf: async (endpoint: string) => (await endpoints.readNow(nameOf(endpoint)))?.fleet,

    /** Sets the number of the endpoint's workers, without delivering the events of their tasks. */
    async demand(endpoint: string, count: number): Promise<void> {
      const id = nameOf(endpoint);
      const before = (await endpoints.readNow(id))?.desiredWorkers;
      await endpoints.setDesired(id, before, count);
      pool.demand(id, count, workers[endpoint] ?? GPU);
    },

    /** Registers an endpoint on another pool. Its workers of this pool remain until `pool.demand` stops them. */
    move: (endpoint: string, other: string) =>
      endpoints.register(configOf(endpoint, other, placementOf(workers[endpoint] ?? GPU, other))),

    /** Registers an endpoint as on a pool with warm instances, whose sizes the service does not know. */
    registerWarm: (endpoint: string) => endpoints.register(configOf(endpoint, group)),

    /** Lets time pass: delivers events each second, and calls the function each minute. */
    async pass(seconds: number): Promise<void> {
      for (let n = 0; n < seconds; n += 1) {
        await deliver();
        pool.tick();
        if (Math.floor(clock.now() / SECOND) % 60 === 30) await call();
      }
    },

    async stop(): Promise<void> {
      for (const endpoint of Object.keys(workers)) await endpoints.remove(nameOf(endpoint));
    },
  };
}

export type Stage = Awaited<ReturnType<typeof startPool>>;
