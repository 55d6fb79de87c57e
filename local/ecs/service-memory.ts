/** What services were told, which outlives a restart as it does in ECS, and what their templates said. */
import { isDeepStrictEqual } from 'node:util';
import type { StateDirectory } from '../state/state-directory.ts';
import type { ServiceDefinition } from './definitions.ts';
import { newDeploymentId } from './deployment.ts';
import type { KeptDeployments } from './deployments.ts';
import { type Families, runnable } from './families.ts';
import { serviceArn } from './names.ts';

export interface ToldService {
  readonly desiredCount: number;
  /** ARN of the revision. */
  readonly taskDefinition: string;
  /** Names of those that it asks for room; absent of a service that an older version has stored. */
  readonly capacityProviders?: readonly string[];
}

interface Remembered extends ToldService {
  /** Properties of the service, as its template said them last. */
  readonly template: unknown;
  /** Task definitions by their ARNs. */
  readonly deployments?: Pick<KeptDeployments, 'id' | 'rolloutState'> & {
    readonly taskDefinition: string;
    readonly completed?: string;
  };
}

export interface ServiceMemory {
  /** What a service was told that does not run yet, as none does while stacks are deployed. */
  told(itsArn: string): ToldService | undefined;
  tell(itsArn: string, change: Partial<ToldService>): void;
  /**
   * A template that says what it said before leaves the service as it is. Another one sets the revision, and the count if
   * it says one.
   */
  declare(service: ServiceDefinition): void;
  desiredCount(service: ServiceDefinition): number;
  /** Its deployments, the last of which is on its way if the service was told another revision since. */
  deployments(service: ServiceDefinition): KeptDeployments | undefined;
  remember(service: ServiceDefinition, change: { desiredCount?: number; deployments?: KeptDeployments }): void;
  /** Forgets services that have left the templates. */
  forgetUndeclared(): void;
}

const FILE = 'services.json';

/** What a new service has if its template says nothing. */
const DEFAULT_COUNT = 1;

const keyOf = ({ cluster, serviceName }: ServiceDefinition) => serviceArn(cluster, serviceName);

/** As it is stored: JSON has no members that are undefined. */
const stored = (properties: unknown): unknown => JSON.parse(JSON.stringify(properties));

/** The revision that was told on its way, and where the service goes back to if it fails. */
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

/** Nothing if there was none, or if nobody knows any more what it ran. */
function resolved(kept: Remembered['deployments'], { find }: Pick<Families, 'find'>): KeptDeployments | undefined {
  const [its, last] = [kept?.taskDefinition, kept?.completed].map((arn) => (arn === undefined ? undefined : find(arn)));
  if (!kept || !its) return undefined;
  const { id, rolloutState } = kept;
  return { id, rolloutState, taskDefinition: runnable(its), ...(last && { completed: runnable(last) }) };
}

/** @param state keeps it; without it, it ends with the process */
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
    told: (itsArn) => memory.get(itsArn),
    tell: change,

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
