/** Ports of the function that launches and ends the instances of pools. */
import { randomUUID } from 'node:crypto';
import type { LaunchPorts } from '../../core/fleet/pool.ts';
import { environment, environmentList } from '../environment.ts';
import { adaptersOf, documentsOf, portsFrom } from '../ports.ts';
import { createInstanceGroups } from './instance-groups.ts';
import { createPoolStates } from './pool-states.ts';

export function createLaunchPorts(): LaunchPorts {
  const documents = documentsOf();
  return portsFrom({
    ...adaptersOf(),
    groups: createInstanceGroups,
    poolStates: () => createPoolStates(documents(), environment('ENDPOINTS_TABLE')),
    cluster: () => environment('CLUSTER'),
    subnets: () => environmentList('SUBNETS'),
    newToken: () => () => randomUUID(),
  });
}
