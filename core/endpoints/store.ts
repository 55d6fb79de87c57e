/** Ports of endpoints: their store, and the ECS services that run their workers. */
import { EndpointNotFound } from '../requests/errors.ts';
import type {
  Asked,
  CountedEnds,
  Endpoint,
  EndpointConfig,
  Example,
  Reconciliation,
  ServiceName,
  WorkerPrice,
} from './endpoint.ts';
import type { FleetState } from './fleet-state.ts';
import type { Release, StoredRelease } from './release.ts';
import type { Spending } from './spending.ts';

export interface Endpoints {
  /** Returns the endpoint, at most `ENDPOINT_CACHE` ms old. */
  read(id: string): Promise<Endpoint | undefined>;
  /**
   * Returns whether the endpoint exists or existed at most `KEY_CACHE` ms ago. A new endpoint is visible
   * immediately.
   */
  isDeployed(id: string): Promise<boolean>;
  /** Returns the price of a worker that runs all the time, at most `KEY_CACHE` ms old; undefined if it is unknown. */
  workerPrice(id: string): Promise<WorkerPrice | undefined>;
  /** Returns the endpoint by a strongly consistent read. */
  readNow(id: string): Promise<Endpoint | undefined>;
  /** Returns the example inputs of the endpoint's file. */
  examples(id: string): Promise<readonly Example[]>;
  /** Lists all endpoints of this deployment with their examples, sorted by id. */
  list(): Promise<Endpoint[]>;
  /** Stores the configuration from the endpoint's stack, and replaces its example inputs. */
  register(config: EndpointConfig, examples?: readonly Example[]): Promise<void>;
  remove(id: string): Promise<void>;
  /**
   * Increments the generation and stores the time.
   * @returns false if the generation is no longer `from`
   */
  raiseGeneration(id: string, from: number): Promise<boolean>;
  /**
   * Stores the number of workers that the scaler set, and the time.
   * @returns false if the number is no longer `from`
   */
  setDesired(id: string, from: number | undefined, to: number): Promise<boolean>;
  /** Stores the start of a scale-in during a release. */
  setScaleIn(id: string, now: number): Promise<void>;
  /** Stores the concurrency that the endpoint's workers ask for. */
  setAsked(id: string, asked: Asked): Promise<void>;
  /**
   * Stores the fleet state.
   * @returns false if another writer has changed it since it was read
   */
  saveFleet(id: string, fleet: FleetState): Promise<boolean>;
  /**
   * Stores a comparison of the counters.
   * @returns false if another comparison was stored since `endpoint` was read
   */
  saveReconciliation(endpoint: Endpoint, reconciliation: Reconciliation): Promise<boolean>;
  /**
   * Stores how many jobs the metrics have counted.
   * @returns false if another sweep has stored it since `endpoint` was read
   */
  saveCountedEnds(endpoint: Pick<Endpoint, 'id' | 'countedEnds'>, counted: CountedEnds): Promise<boolean>;
  /**
   * Stores the release.
   * @returns false if the stored release is no longer `from`
   */
  setRelease(id: string, from: StoredRelease | undefined, to: Release): Promise<boolean>;
  /** Stores what was spent today. */
  saveSpending(id: string, spending: Spending): Promise<void>;
  /** Removes the release and the number of workers of a removed service, and stores that its messages are lost. */
  forgetService(id: string): Promise<void>;
  /**
   * Stores that the caller resends the messages lost at that time.
   * @returns false if another caller began less than `RESEND_TIMEOUT` ago
   */
  beginResend(id: string, lostAt: number, now: number): Promise<boolean>;
  /** Stores that the messages lost at that time were sent again, unless more messages have been lost since. */
  finishResend(id: string, lostAt: number): Promise<void>;
}

/** The ECS services that run the endpoints' workers. */
export interface Services {
  /** Returns the desired number of workers, or undefined if the service does not exist. */
  desired(service: ServiceName): Promise<number | undefined>;
  /** Returns the desired numbers of workers by the name of the service. Services that do not exist are missing. */
  desiredOf(services: readonly ServiceName[]): Promise<ReadonlyMap<string, number>>;
  setDesired(service: ServiceName, count: number): Promise<void>;
}

/**
 * Returns the endpoint.
 * @throws EndpointNotFound if this deployment has no such endpoint
 */
export async function deployed({ endpoints }: { readonly endpoints: Endpoints }, id: string): Promise<Endpoint> {
  const endpoint = await endpoints.read(id);
  if (!endpoint) throw new EndpointNotFound(id);
  return endpoint;
}
