import { Logger } from '@aws-lambda-powertools/logger';
import { createLaunchPorts } from '../../aws/workers/launch-ports.ts';
import { isScheduled, launchCauseFrom } from '../../core/fleet/event.ts';
import { launch } from '../../core/fleet/launch.ts';

const logger = new Logger();
const ports = createLaunchPorts();

/**
 * Launches instances for waiting tasks and ends empty instances: each minute, when a task of a pool waits for a place,
 * and after each launch. If a pool fails, the call fails.
 */
export async function handler(event: unknown): Promise<void> {
  const { failed, ...done } = await launch(ports, isScheduled(event) ? undefined : launchCauseFrom(event));
  const { launched, ended, refused } = done;
  if (launched.length + ended.length + refused.length > 0) logger.info('Instances have changed.', done);
  for (const [group, error] of Object.entries(failed)) logger.error('Not supplied.', { group, error });
  if (Object.keys(failed).length > 0) throw new Error(`Not supplied: ${Object.keys(failed).join(', ')}.`);
}
