/** The desired counts of services, which outlive a restart as they do in ECS. */
import type { StateDirectory } from '../state-directory.ts';
import type { ServiceDefinition } from './definitions.ts';
import { serviceArn } from './names.ts';

interface Remembered {
  /** What the template said; null if it left the count alone. */
  readonly template: number | null;
  readonly live: number;
}

export interface DesiredCounts {
  of(service: ServiceDefinition): number;
  remember(service: ServiceDefinition, count: number): void;
}

const FILE = 'desired-counts.json';

/** What a new service has if its template says nothing. */
const DEFAULT_COUNT = 1;

const keyOf = ({ cluster, serviceName }: ServiceDefinition) => serviceArn(cluster, serviceName);

/** A template that says what it said before leaves the count as it is; one that says something else sets it. */
function countNow({ desiredCount }: ServiceDefinition, before: Remembered | undefined): Remembered {
  const template = desiredCount ?? null;
  const isLeft = before && (template === null || template === before.template);
  return { template, live: isLeft ? before.live : (desiredCount ?? DEFAULT_COUNT) };
}

/** The counts of these services; those of services that have left the templates are forgotten. */
export function recallDesiredCounts(
  state: Pick<StateDirectory, 'readJson' | 'writeJson'>,
  services: readonly ServiceDefinition[],
): DesiredCounts {
  const before = state.readJson<Record<string, Remembered>>(FILE) ?? {};
  const counts = new Map(services.map((service) => [keyOf(service), countNow(service, before[keyOf(service)])]));
  const write = () => state.writeJson(FILE, Object.fromEntries(counts));
  write();
  return {
    of: (service) => counts.get(keyOf(service))?.live ?? DEFAULT_COUNT,
    remember(service, live) {
      counts.set(keyOf(service), { template: service.desiredCount ?? null, live });
      write();
    },
  };
}
