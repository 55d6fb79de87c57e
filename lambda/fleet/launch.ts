import { Logger } from '@aws-lambda-powertools/logger';
import { createLaunchPorts } from '../../aws/workers/launch-ports.ts';
import { isScheduled, launchCauseFrom } from '../../core/fleet/event.ts';
import { launch } from '../../core/fleet/launch.ts';

const logger = new Logger();
const ports = createLaunchPorts();

/**
 * Launches instances for waiting tasks: each minute, when a task of a pool waits for a place, and after each launch.
 * Each minute, also ends instances that have had no tasks. If a pool fails, the call fails.
 */
export async function handler(event: unknown): Promise<void> {
  const { launched, ended, refused, failed } = await launch(
    ports,
    isScheduled(event) ? undefined : launchCauseFrom(event),
  );
  if (launched.length + ended.length > 0) logger.info('Instances were launched or ended.', { launched, ended });
  if (refused.length > 0) logger.info('No instance could be launched for waiting tasks.', { endpoints: refused });
  for (const [group, error] of Object.entries(failed))
    logger.error('Instances of a group could not be launched or ended.', { group, error });
  const groups = Object.keys(failed);
  if (groups.length > 0) throw new Error(`Instances could not be launched or ended: ${groups.join(', ')}.`);
}
