import { systemClock } from '../core/clock.ts';
import type { DeliverPorts } from '../core/webhooks/deliver.ts';
import type { WebhookClient } from '../core/webhooks/store.ts';
import { createDocumentClient } from './clients.ts';
import { environment } from './environment.ts';
import { createPayloadPorts } from './payload-ports.ts';
import { createWebhookSecrets } from './webhook-secrets.ts';

/**
 * The ports of those who call the receivers of webhooks.
 * @param createWebhookClient makes what calls addresses of strangers; it is told which networks it may call beside public ones
 */
export function createWebhookPorts(
  createWebhookClient: (options: { allow: readonly string[] }) => WebhookClient,
): DeliverPorts {
  const ports = createPayloadPorts();
  return Object.assign(ports, {
    webhookClient: createWebhookClient({ allow: ports.webhookNetworks }),
    webhookSecrets: createWebhookSecrets(createDocumentClient(), environment('SIGNING_TABLE'), systemClock),
  });
}
