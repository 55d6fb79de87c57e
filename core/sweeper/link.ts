import type { Clock } from '../clock.ts';
import { DAY, SWEEP } from '../limits.ts';

/** The VPC link between API Gateway and the ingress. */
export interface Link {
  /**
   * Sends a request through the link.
   * @throws if there is no response with a status below 300
   */
  call(): Promise<void>;
}

export interface LinkPorts {
  readonly clock: Clock;
  /**
   * The VPC link between API Gateway and the ingress.
   * @default - the deployment has no ingress, and so no link
   */
  readonly link?: Link | undefined;
}

/**
 * Calls the link in the first sweep of each day (UTC), because API Gateway deactivates a link without traffic for 60
 * days. Then the first calls that wait would fail for minutes. The time of day needs no stored state, and a sweep that
 * does not run costs one of 60 calls.
 * @returns whether a call was due
 * @throws the error of the call
 */
export async function keepLinkActive({ clock, link }: LinkPorts): Promise<boolean> {
  if (!link || clock.now() % DAY >= SWEEP) return false;
  await link.call();
  return true;
}
