/** What `gpu-endpoints keys` can tell about a key from other outputs of the deployment than its table of keys. */
import { systemClock } from '../../core/clock.ts';
import type { Endpoints } from '../../core/endpoints/store.ts';
import { withoutHistory } from '../../core/management/keys.ts';
import { UsageError } from '../usage-error.ts';
import { chosenBy, type DeploymentFlags } from './options.ts';
import { useOutputs } from './outputs.ts';

/** Returns what a read of the endpoints finds, or nothing if they cannot be read: a warning only helps. */
async function readEndpoints(
  flags: DeploymentFlags,
  read: (endpoints: Endpoints) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  if (flags.table !== undefined) return [];
  try {
    const { EndpointsTable } = useOutputs(await chosenBy(flags), ['EndpointsTable']);
    const [{ createDocumentClient }, { createEndpoints }] = await Promise.all([
      import('../../aws/clients.ts'),
      import('../../aws/endpoints/endpoints.ts'),
    ]);
    return await read(createEndpoints(createDocumentClient(), EndpointsTable, systemClock));
  } catch {
    return [];
  }
}

/** Returns the endpoints that do not exist now, or none if that is unknown. */
export const missingEndpoints = (flags: DeploymentFlags, ids: readonly string[]): Promise<readonly string[]> =>
  readEndpoints(flags, async (endpoints) => {
    const named = ids.filter((id) => id !== '*');
    const areDeployed = await Promise.all(named.map((id) => endpoints.isDeployed(id)));
    return named.filter((_, index) => areDeployed[index] === false);
  });

/** Returns the endpoints of a key whose workers have no known price, or none if that is unknown. */
export const unpricedEndpoints = (flags: DeploymentFlags, ids: readonly string[]): Promise<readonly string[]> =>
  readEndpoints(flags, async (endpoints) =>
    (await endpoints.list())
      .filter(({ id, workerPrice }) => workerPrice === undefined && (ids.includes('*') || ids.includes(id)))
      .map(({ id }) => id),
  );

/**
 * Refuses a budget in a deployment that is known to sum no costs.
 * @throws UsageError
 */
export async function assertHistory(flags: DeploymentFlags): Promise<void> {
  if (flags.table !== undefined) return;
  if (historyDaysIn(await chosenBy(flags)) === '0')
    throw new UsageError(`--max-dollars-per-day must be omitted ${withoutHistory}.`);
}

/** Returns the output `HistoryDays`, or undefined if the file has none, as that of an older deployment. */
function historyDaysIn(options: Parameters<typeof useOutputs>[0]): string | undefined {
  try {
    return useOutputs(options, ['HistoryDays']).HistoryDays;
  } catch {
    return undefined;
  }
}
