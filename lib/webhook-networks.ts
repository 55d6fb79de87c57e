import type { ServiceFunction } from './function.ts';

/** Context that lists the networks which webhooks may lead to although they are not public, with commas between. */
const CONTEXT = 'webhookNetworks';

/** Tells a function which networks webhooks may lead to beside public ones. */
export function tellNetworks(told: ServiceFunction): void {
  told.addEnvironment('WEBHOOK_NETWORKS', String(told.node.tryGetContext(CONTEXT) ?? ''));
}
