import { Logger } from '@aws-lambda-powertools/logger';
import { createReleasePorts } from '../../aws/releases/ports.ts';
import { workerEventFrom } from '../../core/fleet/event.ts';
import { observe } from '../../core/fleet/observe.ts';

const logger = new Logger();
const ports = createReleasePorts();

/** Handles events of the cluster: changes of a task, service or deployment. */
export async function handler(event: unknown): Promise<void> {
  const { fact, ...observed } = await observe(ports, workerEventFrom(event));
  if (fact) logger.info('The fleet has changed.', { ...observed, fact });
}
