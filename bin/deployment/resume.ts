/** `gpu-endpoints endpoints resume`: lets an endpoint that backs off start workers again. */
import type { Command } from 'commander';
import { systemClock } from '../../core/clock.ts';
import type { EventHistory } from '../../core/history/store.ts';
import { MINUTE, SWEEP } from '../../core/limits.ts';
import { type Resumed, resumeAs, resumeEndpoint } from '../../core/management/resume.ts';
import { printJson } from '../client/print.ts';
import { UsageError } from '../usage-error.ts';
import { chosenBy, type DeploymentFlags, deploymentCommand, withTable } from './options.ts';
import { type DeploymentOptions, useOutputs, useTable } from './outputs.ts';

/** Returns the history of events; undefined if the options do not name its table, or an earlier version was deployed. */
async function eventHistoryOf(options: DeploymentOptions): Promise<Pick<EventHistory, 'add'> | undefined> {
  if (options.table !== undefined && !options.local) return undefined;
  try {
    const { HistoryTable, HistoryDays } = useOutputs(options, ['HistoryTable', 'HistoryDays']);
    const [{ createDocumentClient }, { createEventHistory }] = await Promise.all([
      import('../../aws/clients.ts'),
      import('../../aws/history/history.ts'),
    ]);
    const table = { table: HistoryTable, days: Number(HistoryDays) };
    return createEventHistory(createDocumentClient(), table, systemClock);
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

async function resumed(endpoint: string, options: DeploymentOptions): Promise<Resumed> {
  // `useTable` sets the environment from which the SDK's clients read their settings.
  const table = useTable(options, 'EndpointsTable');
  const [{ createDocumentClient }, { createEndpoints }] = await Promise.all([
    import('../../aws/clients.ts'),
    import('../../aws/endpoints/endpoints.ts'),
  ]);
  const endpoints = createEndpoints(createDocumentClient(), table, systemClock);
  const ports = { endpoints, clock: systemClock };
  const eventHistory = await eventHistoryOf(options);
  if (!eventHistory) return resumeEndpoint(ports, endpoint);
  const { awsCaller } = await import('../../aws/caller.ts');
  return resumeAs({ ...ports, eventHistory }, endpoint, await awsCaller());
}

async function resume(endpoint: string, flags: DeploymentFlags): Promise<void> {
  const done = await resumed(endpoint, await chosenBy(flags));
  if (flags.json) return printJson(done);
  const { backedOff, reason } = done;
  if (backedOff) console.log(`${endpoint} starts workers again. It had backed off${reason ? `: ${reason}` : ''}.`);
  else console.log(`${endpoint} had not backed off.${reason ? ` ${reason} still keeps workers from starting.` : ''}`);
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
release, or after a worker of the endpoint became ready: both clear the failures too. The endpoint's events then
name the credentials, except with --table.`,
  ).action(resume);
}
