/** Ports of webhooks. `Deliveries` is also a port of jobs, and `DeliveryStarts` of what repeats deliveries. */

import type { DeliveryKey } from '../jobs/delivery-key.ts';
import type { Job } from '../jobs/job.ts';
import type { AttemptOutcome, Delivery } from './delivery.ts';

/** A request to claim the next attempt. */
export interface Claim {
  /** Unique name of the call. A repeated call after a lost response recognizes its own claim by this name. */
  readonly call: string;
  /** Name of the call's turn: its execution, and the number of the execution's earlier calls. */
  readonly turn: string;
  /** Turns of the same execution that are over. The call does not have to wait for the end of their lease. */
  readonly earlierTurns: readonly string[];
  readonly now: number;
  readonly leaseEnds: number;
  readonly removeAfter: number;
}

export interface Claimed {
  /** Whether the caller may call the receiver once. */
  readonly claimed: boolean;
  /** The delivery after the claim. */
  readonly delivery: Delivery;
}

/** A FAILED delivery. */
export interface Failure extends DeliveryKey {
  readonly failedAt: number;
}

export interface Deliveries {
  /**
   * Returns the delivery, or undefined before its first attempt.
   * @param when `lately` can be a second old, and costs half as much
   */
  read(key: DeliveryKey, when: 'now' | 'lately'): Promise<Delivery | undefined>;
  /**
   * Claims the next attempt in one conditional write: only one of several concurrent calls succeeds, and none
   * after the last attempt. Until the lease ends, only a later turn of the same execution can claim the next
   * attempt.
   */
  claim(key: DeliveryKey, claim: Claim): Promise<Claimed>;
  /**
   * Stores the outcome of the attempt. An acknowledgement counts even if another call now holds the claim. Any
   * other outcome counts only while this call holds the claim.
   */
  saveOutcome(
    key: DeliveryKey,
    claim: Pick<Claim, 'call' | 'removeAfter'>,
    outcome: AttemptOutcome,
    now: number,
  ): Promise<void>;
  /**
   * Marks a delivery without remaining attempts or time as FAILED, unless it is finished or an attempt is in
   * progress.
   * @returns whether this call marked the delivery
   */
  giveUp(key: DeliveryKey, reason: string, now: number, removeAfter: number): Promise<boolean>;
  /** Stores a copy of the job before it changes, unless the receiver has acknowledged the delivery. */
  keep(key: DeliveryKey, job: Job, removeAfter: number): Promise<void>;
  /**
   * Resets the attempts of a failed delivery.
   * @returns false if the delivery has not failed
   */
  reopen(key: DeliveryKey): Promise<boolean>;
  /**
   * Lists the failed deliveries of the endpoint that were not sent again, newest first.
   * @param before last delivery of the previous page
   */
  failures(endpoint: string, before?: Failure): AsyncIterable<Failure>;
}

/** Starts an execution of a delivery, with all its pauses. Returns before the first attempt. */
export interface DeliveryStarts {
  start(key: DeliveryKey): Promise<void>;
}

/** The outcome of a call to a receiver. */
export type PostOutcome =
  /** The receiver has answered. A redirect is treated like any other response, and is not followed. */
  | { readonly answered: true; readonly status: number }
  | {
      readonly answered: false;
      /** Reason of a failure, such as `TIMEOUT`. */
      readonly reason: string;
      /** Message for people, without secrets. */
      readonly detail: string;
    };

export interface WebhookClient {
  /** Sends the request. Never rejects: a failure is an outcome. */
  post(call: { url: string; headers: Record<string, string>; body: string }): Promise<PostOutcome>;
}
