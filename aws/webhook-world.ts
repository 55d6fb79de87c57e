import { systemClock } from '../core/clock.ts';
import type { DeliverWorld } from '../core/webhooks/deliver.ts';
import type { Poster } from '../core/webhooks/store.ts';
import { createDocumentClient } from './clients.ts';
import { environment } from './environment.ts';
import { createPayloadWorld } from './payload-world.ts';
import { createWebhookSecrets } from './webhook-secrets.ts';

/**
 * The world of those who call the receivers of webhooks.
 * @param createPoster makes what calls addresses of strangers; it is told which networks it may call beside public ones
 */
export function createWebhookWorld(createPoster: (options: { allow: readonly string[] }) => Poster): DeliverWorld {
  const world = createPayloadWorld();
  return Object.assign(world, {
    poster: createPoster({ allow: world.webhookNetworks }),
    webhookSecrets: createWebhookSecrets(createDocumentClient(), environment('SIGNING_TABLE'), systemClock),
  });
}
