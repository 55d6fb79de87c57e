/** What webhooks need of what is outside. `Deliveries` is a part of the ports of jobs; the others are the deliverer's. */

import type { DeliveryKey } from '../jobs/delivery-key.ts';
import type { Job } from '../jobs/job.ts';
import type { Delivery, TryOutcome } from './delivery.ts';

/** Asks for the next attempt. */
export interface Claim {
  /** Names the call that makes it: if it is refused for its own sake, because an answer was lost, it holds. */
  readonly call: string;
  /** Names the turn in which it is made; whoever had the turn before need not wait for the end of the lease. */
  readonly turn: string;
  readonly turnBefore?: string;
  readonly now: number;
  readonly leaseEnds: number;
  readonly removeAfter: number;
}

export interface Claimed {
  /** Whether the caller may call the receiver, once. */
  readonly claimed: boolean;
  /** As it is then. */
  readonly delivery: Delivery;
}

/** A delivery that has failed for good. */
export interface Failure extends DeliveryKey {
  readonly failedAt: number;
}

export interface Deliveries {
  /**
   * What is known of it, nothing before its first try.
   * @param when `lately` may be a second behind, and costs half
   */
  read(key: DeliveryKey, when: 'now' | 'lately'): Promise<Delivery | undefined>;
  /**
   * Claims the next try in one conditional write: of all who want it, one gets it, and nobody after the last one.
   * Until the lease ends, only the turn that follows on `turnBefore` gets the one after it.
   */
  claim(key: DeliveryKey, claim: Claim): Promise<Claimed>;
  /**
   * Notes what the try has come to. One that was acknowledged counts whoever holds the claim by now; another one only if
   * it is still the call's own.
   */
  saveOutcome(
    key: DeliveryKey,
    claim: Pick<Claim, 'call' | 'removeAfter'>,
    outcome: TryOutcome,
    now: number,
  ): Promise<void>;
  /**
   * Ends a delivery for which no try is left, or no time, unless it is over or somebody is at it.
   * @returns whether it has failed by this
   */
  giveUp(key: DeliveryKey, why: string, now: number, removeAfter: number): Promise<boolean>;
  /** Keeps the job as it is at this end, because it will change, unless nobody will need it. */
  keep(key: DeliveryKey, job: Job, removeAfter: number): Promise<void>;
  /** Gives one that has failed its tries once more; false if it has not failed. */
  reopen(key: DeliveryKey): Promise<boolean>;
  /**
   * Those of the endpoint that have failed and were not sent again, the newest first.
   * @param before the one after which they begin
   */
  failures(endpoint: string, before?: Failure): AsyncIterable<Failure>;
}

/** Starts a delivery once more, with all its pauses; it returns before the first try. */
export interface DeliveryStarts {
  start(key: DeliveryKey): Promise<void>;
}

/** What a call of a stranger's address has come to. */
export type PostOutcome =
  | { readonly answered: true; readonly status: number }
  | {
      readonly answered: false;
      /** Such as `TIMEOUT`. */
      readonly reason: string;
      /** A sentence for people, without anything secret. */
      readonly detail: string;
    };

export interface WebhookClient {
  /** Never fails: what goes wrong is an outcome. */
  post(call: { url: string; headers: Record<string, string>; body: string }): Promise<PostOutcome>;
}
