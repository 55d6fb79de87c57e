/** The store of endpoints, and the services that run their workers. */
import { EndpointNotFound } from '../errors.ts';
import type { Asked, Endpoint, EndpointConfig, Example, Reconciliation, ServiceName } from './endpoint.ts';
import type { FleetState } from './fleet-state.ts';
import type { Release } from './release.ts';

export interface Endpoints {
  /** Returns the endpoint, at most `ENDPOINT_CACHE` ms old. */
  read(id: string): Promise<Endpoint | undefined>;
  /** Whether the endpoint exists, or did at most `KEY_CACHE` ms ago; a new one exists at once. */
  isDeployed(id: string): Promise<boolean>;
  /** Returns the endpoint, strongly consistent. */
  readNow(id: string): Promise<Endpoint | undefined>;
  /** Lists every endpoint of this deployment, by id, with its examples. */
  list(): Promise<Endpoint[]>;
  /** Stores the configuration from the endpoint's stack, and replaces its example inputs. */
  register(config: EndpointConfig, examples?: readonly Example[]): Promise<void>;
  remove(id: string): Promise<void>;
  /** Raises the generation by one and stores when; false if it is no longer `from`. */
  raiseGeneration(id: string, from: number): Promise<boolean>;
  /** Stores the number of workers that the scaler set, and when; false if the number is no longer `from`. */
  setDesired(id: string, from: number | undefined, to: number): Promise<boolean>;
  /** Stores that a scale-in during a release begins. */
  setScaleIn(id: string, now: number): Promise<void>;
  /** Stores how many jobs the endpoint's workers ask to run at once. */
  setAsked(id: string, asked: Asked): Promise<void>;
  /** Stores the fleet state; false if another writer has changed it since it was read. */
  saveFleet(id: string, fleet: FleetState): Promise<boolean>;
  /** Stores a comparison of the counters; false if another one was stored since `endpoint` was read. */
  saveReconciliation(endpoint: Endpoint, reconciliation: Reconciliation): Promise<boolean>;
  /** Stores the release; false if it is no longer as in `from`. */
  setRelease(id: string, from: Release | undefined, to: Release): Promise<boolean>;
  /**
   * Removes the release and the number of workers of a removed service, and stores that its messages are lost.
   */
  forgetService(id: string): Promise<void>;
  /**
   * Stores that the caller sends the messages lost at that time; false if another caller began less than `RESEND_CLAIM`
   * ago.
   */
  claimResend(id: string, lostAt: number, now: number): Promise<boolean>;
  /** Stores that the messages lost at that time are sent again, unless messages were lost since. */
  finishResend(id: string, lostAt: number): Promise<void>;
}

/** The service that runs an endpoint's workers. */
export interface Services {
  /** Returns how many workers it is to run, or undefined if it does not exist. */
  desired(service: ServiceName): Promise<number | undefined>;
  setDesired(service: ServiceName, count: number): Promise<void>;
}

/** Returns the endpoint. @throws EndpointNotFound if this deployment has no such endpoint */
export async function deployed({ endpoints }: { readonly endpoints: Endpoints }, id: string): Promise<Endpoint> {
  const endpoint = await endpoints.read(id);
  if (!endpoint) throw new EndpointNotFound(id);
  return endpoint;
}
