/** Ports of releases: the services that run workers, their task definitions, templates and secrets. */
import { systemClock } from '../../core/clock.ts';
import { DEPLOYMENT_VARIABLE } from '../../core/deployment.ts';
import type { Services } from '../../core/endpoints/store.ts';
import type { SecretFinder } from '../../core/releases/compose.ts';
import type { ReleaseHistory } from '../../core/releases/history.ts';
import type { Revisions } from '../../core/releases/revisions.ts';
import type { Templates } from '../../core/templates/store.ts';
import { environment } from '../environment.ts';
import { type Adapters, adaptersOf, documentsOf, type PortOptions, type Ports, portsFrom } from '../ports.ts';
import { createTemplates } from '../templates/templates.ts';
import { createVault } from '../templates/vault.ts';
import { createServices } from '../workers/services.ts';
import { createReleaseHistory } from './history.ts';
import { createRevisions } from './revisions.ts';

export interface ReleaseParts {
  readonly services: Services;
  readonly revisions: Revisions;
  readonly history: ReleaseHistory;
  readonly templates: Templates;
  readonly vault: SecretFinder;
}

export function releaseAdapters(options?: PortOptions): Adapters<Omit<Ports, 'objects' | 'secrets'> & ReleaseParts> {
  const documents = documentsOf();
  return {
    ...adaptersOf(options),
    services: () => createServices(),
    revisions: () => createRevisions(),
    history: () => createReleaseHistory(documents(), environment('RELEASES_TABLE'), systemClock),
    templates: () => createTemplates(documents(), environment('TEMPLATES_TABLE'), systemClock),
    vault: () => createVault(environment(DEPLOYMENT_VARIABLE)),
  };
}

export const createReleasePorts = (options?: PortOptions) => portsFrom(releaseAdapters(options));
