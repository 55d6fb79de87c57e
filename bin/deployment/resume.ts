/** `gpu-endpoints endpoints resume`: lets an endpoint that backs off start workers again. */
import type { Command } from 'commander';
import { systemClock } from '../../core/clock.ts';
import { MINUTE, SWEEP } from '../../core/limits.ts';
import { resumeEndpoint } from '../../core/management/resume.ts';
import { printJson } from '../client/print.ts';
import { chosenBy, type DeploymentFlags, deploymentCommand, withTable } from './options.ts';
import { useTable } from './outputs.ts';

async function resume(endpoint: string, flags: DeploymentFlags): Promise<void> {
  // `useTable` sets the environment from which the SDK's clients read their settings.
  const table = useTable(await chosenBy(flags), 'EndpointsTable');
  const [{ createDocumentClient }, { createEndpoints }] = await Promise.all([
    import('../../aws/clients.ts'),
    import('../../aws/endpoints/endpoints.ts'),
  ]);
  const endpoints = createEndpoints(createDocumentClient(), table, systemClock);
  const resumed = await resumeEndpoint({ endpoints, clock: systemClock }, endpoint);
  if (flags.json) return printJson(resumed);
  const { backedOff, reason } = resumed;
  const before = backedOff ? `It had backed off${reason ? `: ${reason}` : ''}.` : 'It had not backed off.';
  console.log(`${endpoint} starts workers again. ${before}`);
}

/** @param endpoints the command `endpoints` */
export function addResume(endpoints: Command): void {
  deploymentCommand(
    withTable(
      endpoints
        .command('resume')
        .description('start workers again after failures, with AWS credentials')
        .argument('<endpoint>', 'id of the endpoint'),
      'EndpointsTable',
    ),
    'endpoints resume echo',
    `Clears the failures of the endpoint's workers. Within ${SWEEP / MINUTE} minute the endpoint again starts as many workers as its
jobs need. If its last release was rolled back, the release is retried. The command is not needed after a new
release, or after a worker of the endpoint became ready: both clear the failures too.`,
  ).action(resume);
}
