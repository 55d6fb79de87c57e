/** What services were told, which outlives a restart as it does in ECS. */
import type { StateDirectory } from '../state-directory.ts';
import type { ServiceDefinition } from './definitions.ts';
import { newDeploymentId } from './deployment.ts';
import type { KeptDeployments } from './deployments.ts';
import { type Families, runnable } from './families.ts';
import { serviceArn } from './names.ts';

interface Remembered {
  /** What the template said; null if it left the count alone. */
  readonly template: { readonly desiredCount: number | null; readonly taskDefinition: string };
  readonly desiredCount: number;
  /** Task definitions by their ARNs. */
  readonly deployments?: Pick<KeptDeployments, 'id' | 'rolloutState'> & {
    readonly taskDefinition: string;
    readonly completed?: string;
  };
}

export interface ServiceMemory {
  desiredCount(service: ServiceDefinition): number;
  /** Its deployments, unless its template says another task definition than last time. */
  deployments(service: ServiceDefinition): KeptDeployments | undefined;
  remember(service: ServiceDefinition, change: { desiredCount?: number; deployments?: KeptDeployments }): void;
}

const FILE = 'services.json';

/** What a new service has if its template says nothing. */
const DEFAULT_COUNT = 1;

const keyOf = ({ cluster, serviceName }: ServiceDefinition) => serviceArn(cluster, serviceName);

/** A template that says what it said before leaves the service as it is; one that says something else changes it. */
function now(service: ServiceDefinition, before: Remembered | undefined): Remembered {
  const template = { desiredCount: service.desiredCount ?? null, taskDefinition: service.declared };
  if (!before) return { template, desiredCount: service.desiredCount ?? DEFAULT_COUNT };
  const countIsLeft = template.desiredCount === null || template.desiredCount === before.template.desiredCount;
  const { deployments } = before;
  const isSame = template.taskDefinition === before.template.taskDefinition;
  return {
    template,
    desiredCount: countIsLeft ? before.desiredCount : (template.desiredCount ?? DEFAULT_COUNT),
    ...(deployments && { deployments: isSame ? deployments : released(service, deployments) }),
  };
}

/** The template's own revision on its way, and where the service goes back to if it fails. */
function released(
  { taskDefinition }: ServiceDefinition,
  before: NonNullable<Remembered['deployments']>,
): Remembered['deployments'] {
  const completed = before.rolloutState === 'COMPLETED' ? before.taskDefinition : before.completed;
  const id = newDeploymentId();
  return { id, taskDefinition: taskDefinition.arn, rolloutState: 'IN_PROGRESS', ...(completed && { completed }) };
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

/** Those of these services; services that have left the templates are forgotten. */
export function recallServices(
  state: Pick<StateDirectory, 'readJson' | 'writeJson'>,
  services: readonly ServiceDefinition[],
  families: Pick<Families, 'find'>,
): ServiceMemory {
  const before = state.readJson<Record<string, Remembered>>(FILE) ?? {};
  const memory = new Map(services.map((service) => [keyOf(service), now(service, before[keyOf(service)])]));
  const write = () => state.writeJson(FILE, Object.fromEntries(memory));
  write();
  return {
    desiredCount: (service) => memory.get(keyOf(service))?.desiredCount ?? DEFAULT_COUNT,
    deployments: (service) => resolved(memory.get(keyOf(service))?.deployments, families),
    remember(service, { desiredCount, deployments }) {
      const before = memory.get(keyOf(service)) ?? now(service, undefined);
      memory.set(keyOf(service), {
        ...before,
        ...(desiredCount !== undefined && { desiredCount }),
        ...(deployments && { deployments: named(deployments) }),
      });
      write();
    },
  };
}
