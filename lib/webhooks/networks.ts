/** Where webhooks may lead beside public addresses: nowhere, unless the context `webhookNetworks` names networks. */
import type { IConstruct } from 'constructs';
import { allowedNetworks, isCallable } from '../../core/webhooks/address.ts';
import type { Client } from '../constructs/client.ts';
import { InvalidSetting } from '../settings/settings.ts';

const SETTING = 'webhookNetworks';

/** In a function its own machine is the runtime that feeds it, so that is of no use but to do harm. */
function mayBe(entries: readonly string[]): boolean {
  try {
    const networks = allowedNetworks(entries);
    return !isCallable('::1', networks) && !entries.some((entry) => entry.startsWith('127.'));
  } catch {
    return false;
  }
}

/** @throws InvalidSetting */
export function webhookNetworksOf(scope: IConstruct): readonly string[] {
  const value: unknown = scope.node.tryGetContext(SETTING);
  if (value === undefined || value === '') return [];
  const entries = typeof value === 'string' ? value.split(',').map((entry) => entry.trim()) : [];
  if (entries.length > 0 && mayBe(entries)) return entries;
  throw new InvalidSetting(
    `The context \`${SETTING}\` must be private networks such as 10.1.0.0/16,fd12:3456::/48, got ${JSON.stringify(value)}.`,
  );
}

/** Sets the networks that webhooks may lead to beside public ones in the environment of what checks their addresses. */
export function tellNetworks(told: Client & IConstruct): void {
  told.addEnvironment('WEBHOOK_NETWORKS', webhookNetworksOf(told).join(','));
}
