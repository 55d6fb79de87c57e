import type { App } from 'aws-cdk-lib';
import type { Pool } from './capacity/pool-declaration.ts';
import { corsOriginOf } from './cors.ts';
import type { EndpointDeclaration } from './endpoint-declaration.ts';
import { EndpointStack } from './endpoint-stack.ts';
import { FleetStack } from './fleet-stack.ts';
import { networkSettingsOf } from './network.ts';
import { PlatformStack } from './platform-stack.ts';
import { StorageStack } from './storage-stack.ts';

/** The stacks of one deployment: what survives, where workers run, the front door, and one stack per endpoint. */
export function addStacks(app: App, declarations: readonly EndpointDeclaration[], pools: readonly Pool[] = []): void {
  const storage = new StorageStack(app, 'Storage', { description: 'gpu-endpoints: tables' });
  const fleet = new FleetStack(app, 'Fleet', {
    description: 'gpu-endpoints: network and cluster',
    pools,
    network: networkSettingsOf(app),
  });
  const platform = new PlatformStack(app, 'Platform', {
    description: 'gpu-endpoints: interfaces',
    storage,
    fleet,
    corsOrigin: corsOriginOf(app),
  });
  for (const declaration of declarations) {
    const description = `gpu-endpoints: endpoint ${declaration.id}`;
    new EndpointStack(app, `Endpoint-${declaration.id}`, { description, declaration, storage, fleet, platform });
  }
}
