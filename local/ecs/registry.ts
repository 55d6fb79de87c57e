/** All that ECS knows on this machine: what the templates have declared, and which services run. */
import type { ServiceDefinition } from './definitions.ts';
import { createFamilies, type Families } from './families.ts';
import type { Service } from './service.ts';
import { createServiceMemory, type ServiceMemory } from './service-memory.ts';
import type { AccessPoint } from './volumes.ts';

export interface EcsDefinitions {
  readonly families: Families;
  /** What services were told, before they run and beyond. */
  readonly memory: ServiceMemory;
  /** Names. */
  readonly clusters: Set<string>;
  /** Of file systems, by their ids. */
  readonly accessPoints: Map<string, AccessPoint>;
  /** Names of those that services may ask for room. */
  readonly capacityProviders: Set<string>;
  readonly services: ServiceDefinition[];
  /** By their ARNs, as soon as they run: after the deployment of all stacks. */
  readonly running: Map<string, Service>;
}

/** By default, what is told ends with the process. */
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
