/** All resources of ECS on this machine: the declarations of the templates, and the running services. */
import type { ServiceDefinition } from './definitions.ts';
import { createFamilies, type Families } from './families.ts';
import type { Service } from './service.ts';
import { createServiceMemory, type ServiceMemory } from './service-memory.ts';
import type { AccessPoint } from './volumes.ts';

export interface EcsDefinitions {
  readonly families: Families;
  /** Settings that API calls have changed for services, even before and after the services run. */
  readonly memory: ServiceMemory;
  /** Names of clusters. */
  readonly clusters: Set<string>;
  /** Access points of file systems, by id. */
  readonly accessPoints: Map<string, AccessPoint>;
  /** Names of the capacity providers that services can use. */
  readonly capacityProviders: Set<string>;
  readonly services: ServiceDefinition[];
  /** Running services by ARN, after the deployment of all stacks. */
  readonly running: Map<string, Service>;
}

/** Creates a registry without services. By default, its memory lasts until the process exits. */
export const noServices = (
  families: Families = createFamilies(),
  memory: ServiceMemory = createServiceMemory(families),
): EcsDefinitions => ({
  families,
  memory,
  clusters: new Set(),
  accessPoints: new Map(),
  capacityProviders: new Set(['FARGATE', 'FARGATE_SPOT']),
  services: [],
  running: new Map(),
});
