import type { App } from 'aws-cdk-lib';
import type { Pool } from './capacity/pool-declaration.ts';
import { corsOriginOf } from './cors.ts';
import type { EndpointDeclaration } from './endpoint-declaration.ts';
import { EndpointStack } from './endpoint-stack.ts';
import { FleetStack } from './fleet-stack.ts';
import { networkSettingsOf } from './network.ts';
import { PlatformStack } from './platform-stack.ts';
import { StorageStack } from './storage-stack.ts';
import { tagDeployment } from './tags.ts';
import type { TemplateDeclaration } from './template-declaration.ts';
import { TemplatesStack } from './templates-stack.ts';

/** What is declared in Git besides endpoints. */
export interface Declared {
  readonly pools?: readonly Pool[];
  readonly templates?: readonly TemplateDeclaration[];
}

/**
 * The stacks of one deployment: what survives, where workers run, the front door, the official templates if there are any,
 * and one stack per endpoint.
 */
export function addStacks(
  app: App,
  declarations: readonly EndpointDeclaration[],
  { pools = [], templates: declared = [] }: Declared = {},
): void {
  tagDeployment(app);
  const storage = new StorageStack(app, 'Storage', { description: 'gpu-endpoints: tables' });
  const fleet = new FleetStack(app, 'Fleet', {
    description: 'gpu-endpoints: network and cluster',
    pools,
    network: networkSettingsOf(app),
    storage,
  });
  const platform = new PlatformStack(app, 'Platform', {
    description: 'gpu-endpoints: interfaces',
    storage,
    fleet,
    corsOrigin: corsOriginOf(app),
  });
  const description = 'gpu-endpoints: official templates';
  const templates =
    declared.length > 0
      ? new TemplatesStack(app, 'Templates', { description, declarations: declared, platform })
      : undefined;
  for (const declaration of declarations) {
    const description = `gpu-endpoints: endpoint ${declaration.id}`;
    const stacks = { storage, fleet, platform, templates };
    new EndpointStack(app, `Endpoint-${declaration.id}`, { description, declaration, ...stacks });
  }
}
