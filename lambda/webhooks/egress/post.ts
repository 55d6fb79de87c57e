/**
 * Calls URLs that clients have chosen; no other code calls these URLs. The host's name is resolved once. If any of
 * its addresses is forbidden, the call fails. The connection goes to the checked addresses, so that another answer of the
 * name server cannot lead it to a forbidden one. Redirects are not followed, and no proxy is used.
 */
import { webhookCallLimits } from '../../../core/limits.ts';
import { allowedNetworks, isCallable } from '../../../core/webhooks/address.ts';
import type { WebhookClient } from '../../../core/webhooks/store.ts';
import { addressIn, flawOf } from '../../../core/webhooks/url.ts';
import { type CallLimits, exchange } from './exchange.ts';
import { addressesOf, type Resolve, resolveName } from './names.ts';
import { failed } from './outcome.ts';

export interface WebhookClientOptions {
  /**
   * Addresses and networks that may be called although they are not public, such as `127.0.0.1` or `10.1.0.0/16`.
   * @default - none
   */
  readonly allow?: readonly string[];
  /**
   * Resolves the host of a URL to addresses.
   * @default - resolution by the system
   */
  readonly resolve?: Resolve;
  /**
   * Time limits and size limits of one call of a webhook.
   * @default webhookCallLimits
   */
  readonly limits?: CallLimits;
}

/**
 * Creates the client.
 * @throws Error if `allow` has a network that can never be allowed
 */
export function createWebhookClient({
  allow = [],
  resolve = resolveName,
  limits = webhookCallLimits,
}: WebhookClientOptions = {}): WebhookClient {
  const networks = allowedNetworks(allow);
  return {
    async post(call) {
      const flaw = flawOf(call.url);
      if (flaw !== undefined) return failed('INVALID_URL', `The URL ${flaw}.`);
      const url = new URL(call.url);
      const ipAddress = addressIn(url);
      const addresses = ipAddress ? [ipAddress] : await addressesOf(url.hostname, resolve, limits.name);
      if (!addresses) return failed('TIMEOUT', 'The name of the host was not resolved in time.');
      if (addresses.length === 0) return failed('DNS');
      if (!addresses.every((address) => isCallable(address, networks))) return failed('FORBIDDEN_ADDRESS');
      return exchange(url, addresses, call, limits);
    },
  };
}
