/** Ports of the sweeper for sending events. */

import { DEPLOYMENT_VARIABLE } from '../../core/deployment.ts';
import type { PublishPorts } from '../../core/event-bus/publish.ts';
import { createDocumentClient } from '../clients.ts';
import { environment, optionalEnvironment } from '../environment.ts';
import { portsWith } from '../ports.ts';
import { createEventBus } from './event-bus.ts';
import { createPublishedMarks } from './published.ts';

type StoredPorts = Pick<PublishPorts, 'clock' | 'eventHistory' | 'history' | 'workerHistory'>;

/** Returns the ports, or undefined if the deployment sends no events. */
export function createPublishPorts(ports: StoredPorts): PublishPorts | undefined {
  const bus = optionalEnvironment('EVENT_BUS');
  if (bus === undefined) return undefined;
  return portsWith(ports, {
    deployment: environment(DEPLOYMENT_VARIABLE),
    eventBus: createEventBus(bus),
    publishedMarks: createPublishedMarks(createDocumentClient(), environment('HISTORY_TABLE')),
  });
}
