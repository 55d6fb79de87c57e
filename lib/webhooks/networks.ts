/** Private networks that webhooks may call: none, unless the context `webhookNetworks` lists networks. */
import type { IConstruct } from 'constructs';
import { allowedNetworks, isCallable } from '../../core/webhooks/address.ts';
import type { Grantee } from '../constructs/grantee.ts';
import type { Setting } from '../settings/field-text.ts';
import { InvalidSetting } from '../settings/settings.ts';

const SETTING = 'webhookNetworks';

/**
 * Reports whether webhooks may call the networks. The loopback is refused: in a function it leads to the Lambda
 * runtime, which only an attacker would call.
 */
function mayBe(entries: readonly string[]): boolean {
  try {
    const networks = allowedNetworks(entries);
    return !isCallable('::1', networks) && !entries.some((entry) => entry.startsWith('127.'));
  } catch {
    return false;
  }
}

/**
 * Returns the private networks that webhooks may call.
 * @throws InvalidSetting
 */
export function webhookNetworksOf(scope: IConstruct): readonly string[] {
  const value: unknown = scope.node.tryGetContext(SETTING);
  if (value === undefined || value === '') return [];
  const entries = typeof value === 'string' ? value.split(',').map((entry) => entry.trim()) : [];
  if (entries.length > 0 && mayBe(entries)) return entries;
  throw new InvalidSetting(
    `The context \`${SETTING}\` must be private networks such as 10.1.0.0/16,fd12:3456::/48, got ${JSON.stringify(value)}.`,
  );
}

export const webhookNetworksSetting: Setting = {
  read: webhookNetworksOf,
  text: {
    description: 'Private networks that webhooks can call in addition to public addresses.',
    type: 'string',
    without: 'only public addresses',
    allowed: 'private networks, separated by commas, such as `10.1.0.0/16,fd12:3456::/48`',
    guide: 'webhookNetworks',
  },
};

/** Sets the private networks in the environment of a function or the ingress that checks the URLs of webhooks. */
export function setWebhookNetworks(grantee: Grantee & IConstruct): void {
  grantee.addEnvironment('WEBHOOK_NETWORKS', webhookNetworksOf(grantee).join(','));
}
