/**
 * Settings that API calls changed for services, which outlive a restart as in ECS, and the services' last
 * templates.
 */
import { isDeepStrictEqual } from 'node:util';
import type { StateDirectory } from '../state/state-directory.ts';
import type { ServiceDefinition } from './definitions.ts';
import { newDeploymentId } from './deployment.ts';
import type { KeptDeployments } from './deployments.ts';
import { type Families, runnable } from './families.ts';
import { serviceArn } from './names.ts';

export interface ServiceSettings {
  readonly desiredCount: number;
  /** ARN of the revision. */
  readonly taskDefinition: string;
  /** Names of the service's capacity providers; absent if its template names none. */
  readonly capacityProviders?: readonly string[];
}

interface Remembered extends ServiceSettings {
  /** Properties of the service in its last template. */
  readonly template: unknown;
  /** Deployments in the stored form, with ARNs instead of task definitions. */
  readonly deployments?:
    | (Pick<KeptDeployments, 'id' | 'rolloutState'> & {
        readonly taskDefinition: string;
        readonly completed?: string | undefined;
      })
    | undefined;
}

export interface ServiceMemory {
  /** Returns the settings of a service, even if it does not run yet: no service runs while stacks are deployed. */
  settingsOf(itsArn: string): ServiceSettings | undefined;
  update(itsArn: string, change: Partial<ServiceSettings>): void;
  /**
   * Applies the template of a service. An unchanged template changes nothing. A changed template sets the revision,
   * and the desired count if it has one.
   */
  declare(service: ServiceDefinition): void;
  desiredCount(service: ServiceDefinition): number;
  /** Returns the deployments of the service; the last one is in progress if another revision was set since. */
  deployments(service: ServiceDefinition): KeptDeployments | undefined;
  remember(service: ServiceDefinition, change: { desiredCount?: number; deployments?: KeptDeployments }): void;
  /** Removes services that have left the templates. */
  forgetUndeclared(): void;
}

const FILE = 'services.json';

/** The desired count of a new service whose template has none. */
const DEFAULT_COUNT = 1;

const keyOf = ({ cluster, serviceName }: ServiceDefinition) => serviceArn(cluster, serviceName);

/** Converts to the stored form: JSON has no undefined members. */
const stored = (properties: unknown): unknown => JSON.parse(JSON.stringify(properties));

/**
 * Returns the last deployment. If another revision was set since, returns a new deployment of that revision in
 * progress, with the revision to which it rolls back.
 */
function lastOf({ deployments: kept, taskDefinition }: Remembered): Remembered['deployments'] {
  if (!kept || kept.taskDefinition === taskDefinition) return kept;
  const completed = kept.rolloutState === 'COMPLETED' ? kept.taskDefinition : kept.completed;
  return { id: newDeploymentId(), taskDefinition, rolloutState: 'IN_PROGRESS', ...(completed && { completed }) };
}

const named = ({ taskDefinition, completed, ...rest }: KeptDeployments): Remembered['deployments'] => ({
  ...rest,
  taskDefinition: taskDefinition.arn,
  ...(completed && { completed: completed.arn }),
});

/** Returns the previous deployments; undefined if there were none, or if their task definition no longer exists. */
function resolved(kept: Remembered['deployments'], { find }: Pick<Families, 'find'>): KeptDeployments | undefined {
  const [its, last] = [kept?.taskDefinition, kept?.completed].map((arn) => (arn === undefined ? undefined : find(arn)));
  if (!kept || !its) return undefined;
  const { id, rolloutState } = kept;
  return { id, rolloutState, taskDefinition: runnable(its), ...(last && { completed: runnable(last) }) };
}

/**
 * Creates the memory.
 * @param state stores the settings; without it they last until the process exits
 */
export function createServiceMemory(
  families: Pick<Families, 'find'>,
  state?: Pick<StateDirectory, 'readJson' | 'writeJson'>,
): ServiceMemory {
  const memory = new Map(Object.entries(state?.readJson<Record<string, Remembered>>(FILE) ?? {}));
  const declared = new Set<string>();
  const write = () => state?.writeJson(FILE, Object.fromEntries(memory));

  function change(itsArn: string, changes: Partial<Remembered>): void {
    const before = memory.get(itsArn);
    if (!before) return;
    memory.set(itsArn, { ...before, ...changes });
    write();
  }

  return {
    settingsOf: (itsArn) => memory.get(itsArn),
    update: change,

    declare(service) {
      const before = memory.get(keyOf(service));
      const template = stored(service.properties);
      declared.add(keyOf(service));
      if (before && isDeepStrictEqual(before.template, template)) return;
      const desiredCount = service.desiredCount ?? before?.desiredCount ?? DEFAULT_COUNT;
      const { capacityProviders, taskDefinition } = service;
      const said = { template, desiredCount, taskDefinition: taskDefinition.arn };
      memory.set(keyOf(service), { ...before, ...said, ...(capacityProviders && { capacityProviders }) });
      write();
    },

    desiredCount: (service) => memory.get(keyOf(service))?.desiredCount ?? DEFAULT_COUNT,

    deployments(service) {
      const remembered = memory.get(keyOf(service));
      return remembered && resolved(lastOf(remembered), families);
    },

    remember(service, { desiredCount, deployments }) {
      change(keyOf(service), {
        ...(desiredCount !== undefined && { desiredCount }),
        ...(deployments && { deployments: named(deployments), taskDefinition: deployments.taskDefinition.arn }),
      });
    },

    forgetUndeclared() {
      for (const itsArn of memory.keys()) if (!declared.has(itsArn)) memory.delete(itsArn);
      write();
    },
  };
}
