/** All that ECS knows on this machine: what the templates have declared, and which services run. */
import type { ServiceDefinition } from './definitions.ts';
import { createFamilies, type Families } from './families.ts';
import type { Service } from './service.ts';
import { createServiceMemory, type ServiceMemory } from './service-memory.ts';
import type { AccessPoint } from './volumes.ts';

export interface EcsDefinitions {
  readonly families: Families;
  /** What API calls have set for services, also before and after they run. */
  readonly memory: ServiceMemory;
  /** Names of clusters. */
  readonly clusters: Set<string>;
  /** Access points of file systems, by id. */
  readonly accessPoints: Map<string, AccessPoint>;
  /** Names of the capacity providers that services may use. */
  readonly capacityProviders: Set<string>;
  readonly services: ServiceDefinition[];
  /** Running services by ARN, after the deployment of all stacks. */
  readonly running: Map<string, Service>;
}

/** A registry without services. By default, its memory ends with the process. */
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
