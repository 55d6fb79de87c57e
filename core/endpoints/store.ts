/** The store of endpoints, and the services that run their workers. */
import { EndpointNotFound } from '../errors.ts';
import type { Asked, Endpoint, EndpointConfig, Example, Reconciliation, ServiceName } from './endpoint.ts';
import type { FleetState } from './fleet-state.ts';
import type { Release } from './release.ts';

export interface Endpoints {
  /** The endpoint, at most `ENDPOINT_CACHE` ms old. */
  read(id: string): Promise<Endpoint | undefined>;
  /** Whether there is such an endpoint, or was one at most `KEY_CACHE` ms ago; a new one is there at once. */
  isDeployed(id: string): Promise<boolean>;
  /** The endpoint as it is now. */
  readNow(id: string): Promise<Endpoint | undefined>;
  /** Every endpoint of this deployment, by id, with its examples. */
  list(): Promise<Endpoint[]>;
  /** Stores what the endpoint's stack says, and its example inputs in place of those before. */
  register(config: EndpointConfig, examples?: readonly Example[]): Promise<void>;
  remove(id: string): Promise<void>;
  /** Raises the generation by one and notes when; false if it is not `from` any more. */
  raiseGeneration(id: string, from: number): Promise<boolean>;
  /** Notes how many workers the service was told to run, and when; false if the number is not `from` any more. */
  setDesired(id: string, from: number | undefined, to: number): Promise<boolean>;
  /** Stores that a scale-in during a release begins. */
  setScaleIn(id: string, now: number): Promise<void>;
  /** Stores how many jobs the endpoint's workers ask to run at once. */
  setAsked(id: string, asked: Asked): Promise<void>;
  /** Stores what is known of the endpoint's workers; false if another has stored something since it was read. */
  saveFleet(id: string, fleet: FleetState): Promise<boolean>;
  /** Notes the outcome of an audit; false if there was another one since `endpoint` was read. */
  saveReconciliation(endpoint: Endpoint, reconciliation: Reconciliation): Promise<boolean>;
  /** Notes what the service is to run, and how far that is; false if it is not as in `from` any more. */
  setRelease(id: string, from: Release | undefined, to: Release): Promise<boolean>;
  /**
   * Forgets the release and the number of workers of a service that is removed, and stores that its messages are lost.
   */
  forgetService(id: string): Promise<void>;
  /**
   * Stores that the caller sends the messages lost at that time; false if another has begun to less than `RESEND_CLAIM`
   * ago.
   */
  claimResend(id: string, lostAt: number, now: number): Promise<boolean>;
  /** Stores that the messages lost at that time are sent again, unless messages were lost since. */
  finishResend(id: string, lostAt: number): Promise<void>;
}

/** The service that runs an endpoint's workers. */
export interface Services {
  /** How many workers it is to run, or nothing if it is not there. */
  desired(service: ServiceName): Promise<number | undefined>;
  setDesired(service: ServiceName, count: number): Promise<void>;
}

/** @throws EndpointNotFound if this deployment has no such endpoint */
export async function deployed({ endpoints }: { readonly endpoints: Endpoints }, id: string): Promise<Endpoint> {
  const endpoint = await endpoints.read(id);
  if (!endpoint) throw new EndpointNotFound(id);
  return endpoint;
}
