import { Logger } from '@aws-lambda-powertools/logger';
import { environment, optionalEnvironment } from '../../aws/environment.ts';
import { createPublishPorts } from '../../aws/event-bus/ports.ts';
import { createExpiryTimers } from '../../aws/expiry/timers.ts';
import { createLink } from '../../aws/link.ts';
import { portsFrom, portsWith } from '../../aws/ports.ts';
import { releaseAdapters } from '../../aws/releases/ports.ts';
import { createDeliveryStarts } from '../../aws/webhooks/starts.ts';
import type { EndpointErrors } from '../../core/endpoints/each.ts';
import { publishEvents } from '../../core/event-bus/publish.ts';
import type { Unreadable } from '../../core/stored-items/unreadable.ts';
import { leasesOnce } from '../../core/sweeper/leases-once.ts';
import { keepLinkActive } from '../../core/sweeper/link.ts';
import { metricChoices } from '../../core/sweeper/measure.ts';
import { sweep } from '../../core/sweeper/sweep.ts';
import { checkBudgets } from '../../core/usage/budgets.ts';
import { sumAll } from '../../core/usage/sweep.ts';
import { reportSetAside } from '../set-aside.ts';
import { countDelivery } from '../webhooks/failure-metric.ts';
import { publishMeasured } from './metrics.ts';
import { createTelemetry } from './telemetry.ts';

const logger = new Logger();
/** Unreadable items of one sweep. Each item is reported once, also if a step of the sweep repeats a read. */
const unreadable = new Map<string, Unreadable>();
const ports = portsFrom({
  ...releaseAdapters({ onUnreadable: (item) => unreadable.set(JSON.stringify([item.partition, item.name]), item) }),
  deliveryStarts: createDeliveryStarts,
  expiryTimers: () => createExpiryTimers(logger),
});

const telemetry = createTelemetry(ports, logger);

const linkUrl = optionalEnvironment('LINK_URL');
const link = linkUrl === undefined ? undefined : createLink(linkUrl);

/** The setting `endpointMetrics`. */
const published = metricChoices.find((choice) => choice === environment('ENDPOINT_METRICS')) ?? 'few';

const publishPorts = createPublishPorts(ports);

/** A failing call does not make the sweep fail, because AWS would repeat the sweep. The next day has a call again. */
async function callLink(): Promise<void> {
  try {
    await keepLinkActive({ clock: ports.clock, link });
  } catch (error) {
    logger.warn('The daily call through the VPC link failed.', { error });
  }
}

function logErrors(message: string, errors: EndpointErrors): void {
  for (const [endpoint, error] of errors) logger.error(message, { endpoint, error });
}

/** Sweeps every minute, and logs the repairs. If an endpoint could not be swept, the call fails. */
export async function handler(): Promise<void> {
  const once = portsWith(ports, { workers: leasesOnce(ports.workers) });
  const [{ endpoints, failed, measured, ...done }] = await Promise.all([sweep(once), callLink()]);
  logger.info('Swept.', done);
  publishMeasured(measured, published);
  reportSetAside([...unreadable.values()]);
  unreadable.clear();
  for (const [endpoint, count] of Object.entries(done.givenUp))
    for (let n = 0; n < count; n += 1) countDelivery(endpoint, true);
  logErrors('Not swept.', new Map(Object.entries(failed)));
  logErrors('Not summed.', await sumAll(once, endpoints, telemetry?.addNews));
  logErrors('Budgets not checked.', await checkBudgets(once, endpoints));
  if (publishPorts) logErrors('Events not sent.', await publishEvents(publishPorts, endpoints));
  await telemetry?.send(endpoints);
  if (Object.keys(failed).length > 0) throw new Error(`Not swept: ${Object.keys(failed).join(', ')}.`);
}
