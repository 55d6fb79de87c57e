/**
 * The processes of one sequence: two instances of the API, two workers, and the clockwork, which runs background
 * work. Dead processes are replaced.
 */

import { createHash } from 'node:crypto';
import { type Ports, portsWith } from '../../../../aws/ports.ts';
import type { EndpointConfig } from '../../../../core/endpoints/endpoint.ts';
import type { ExpiryTimers } from '../../../../core/expiry/expire.ts';
import { jobId, type NewJobId } from '../../../../core/jobs/id.ts';
import type { DeliveryStarts } from '../../../../core/webhooks/store.ts';
import { noReleases } from '../../../../test/releases/no-releases.ts';
import { type RecordedServices, recordServices } from '../../../../test/support/recorded-services.ts';
import { type Caller, createCaller } from '../calls/context.ts';
import type { Bench, ProcessName } from './bench.ts';
import { createWorker, type ScriptedWorker } from './worker.ts';

export interface WorkerProcess {
  readonly caller: Caller;
  readonly ports: Ports;
  readonly worker: ScriptedWorker;
}

type SweptPorts = Ports &
  ReturnType<typeof noReleases> & {
    readonly services: RecordedServices;
    readonly deliveryStarts: DeliveryStarts;
    readonly expiryTimers: ExpiryTimers;
  };

export interface Cast {
  readonly endpoint: EndpointConfig;
  /** Returns an instance of the API. The instances alternate. */
  api(number: number): { readonly caller: Caller; readonly ports: Ports };
  clockwork(): { readonly caller: Caller; readonly ports: SweptPorts };
  worker(number: number): WorkerProcess;
  /** Replaces dead processes with new ones. */
  replaceDead(): void;
}

const API = ['api 1', 'api 2'] as const;
const WORKERS = ['worker 1', 'worker 2'] as const;

export function createCast(bench: Bench, endpoint: EndpointConfig): Cast {
  const services = recordServices();
  let born = 0;
  let ids = 0;

  /** Derives ids from a counter, so that the same sequence creates the same ids. */
  const newJobId: NewJobId = (kind, now) => {
    ids += 1;
    return jobId(kind, now, createHash('sha256').update(`${endpoint.id} ${ids}`).digest());
  };
  const portsOf = (name: ProcessName) => portsWith(bench.portsOfProcess[name], { newJobId });

  /** Returns ports with which the sweeper sees only the endpoint of this sequence. */
  const sweptPorts = (): SweptPorts => {
    const ports = portsOf('clockwork');
    const list = async () => [await ports.endpoints.readNow(endpoint.id)].filter((found) => found !== undefined);
    // The jobs of the model have no webhooks.
    const deliveryStarts: DeliveryStarts = { start: async () => undefined };
    // Timers can be lost, so all invariants must be true without them.
    const expiryTimers: ExpiryTimers = { start: async () => undefined };
    return portsWith(ports, {
      ...noReleases(),
      services,
      deliveryStarts,
      expiryTimers,
      endpoints: Object.assign(Object.create(ports.endpoints), { list }),
    });
  };

  const bornCaller = (name: string) => {
    born += 1;
    return createCaller(`${name} (${born})`);
  };
  const newWorker = (name: ProcessName): WorkerProcess => {
    const caller = bornCaller(name);
    const ports = portsOf(name);
    return { caller, ports, worker: createWorker(ports, endpoint, `${endpoint.id}-w${born}`) };
  };

  const apis = API.map((name) => ({ name, caller: bornCaller(name), ports: portsOf(name) }));
  const workers = WORKERS.map((name) => ({ name, ...newWorker(name) }));
  const clockwork = { caller: bornCaller('clockwork'), ports: sweptPorts() };
  const at = <Item>(items: readonly Item[], number: number): Item => items[number % items.length] as Item;

  return {
    endpoint,
    api: (number) => at(apis, number),
    clockwork: () => clockwork,
    // Returns a copy, because a replacement overwrites the entry.
    worker: (number) => ({ ...at(workers, number) }),
    replaceDead() {
      // A process shares reads of jobs between its calls, and the reads of a dead process never finish.
      for (const api of apis)
        if (api.caller.isDead) Object.assign(api, { caller: bornCaller(api.name), ports: portsOf(api.name) });
      for (const process of workers) if (process.caller.isDead) Object.assign(process, newWorker(process.name));
      if (clockwork.caller.isDead) clockwork.caller = bornCaller('clockwork');
    },
  };
}
