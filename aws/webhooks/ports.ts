/** Ports of the function that calls the receivers of webhooks. */
import { systemClock } from '../../core/clock.ts';
import type { DeliverPorts } from '../../core/webhooks/deliver.ts';
import type { WebhookClient } from '../../core/webhooks/store.ts';
import { createDocumentClient } from '../clients.ts';
import { environment } from '../environment.ts';
import { payloadAdapters } from '../payload-ports.ts';
import { portsFrom } from '../ports.ts';
import { createWebhookSecrets } from './secrets.ts';

/**
 * Creates the ports of the function that delivers webhooks.
 * @param createWebhookClient creates the HTTP client, with the networks that it may call in addition to public
 * networks
 */
export function createWebhookPorts(
  createWebhookClient: (options: { allow: readonly string[] }) => WebhookClient,
): DeliverPorts {
  const adapters = payloadAdapters();
  return portsFrom<DeliverPorts>({
    ...adapters,
    webhookClient: () => createWebhookClient({ allow: adapters.webhookNetworks() }),
    webhookSecrets: () => createWebhookSecrets(createDocumentClient(), environment('SIGNING_TABLE'), systemClock),
  });
}
