import { Logger } from '@aws-lambda-powertools/logger';
import { createReleasePorts } from '../../aws/release-ports.ts';
import { fleetEventFrom } from '../../core/fleet/event.ts';
import { observe } from '../../core/fleet/observe.ts';

const logger = new Logger();
const ports = createReleasePorts();

/** A task, a service or a deployment of the cluster has changed, or an instance for it was not started. */
export async function handler(event: unknown): Promise<void> {
  const { fact, ...observed } = await observe(ports, fleetEventFrom(event));
  if (fact) logger.info('Heard of workers.', { ...observed, fact });
}
