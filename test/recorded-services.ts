import type { ServiceName } from '../core/endpoints/endpoint.ts';
import type { Services } from '../core/endpoints/store.ts';

/** Services that remember what they were told. */
export interface RecordedServices extends Services {
  /** Counts in the order in which they were told, by service. */
  readonly told: Map<string, number[]>;
}

/** @param before is called before a service is told something */
export function recordServices(
  before: (service: ServiceName, count: number) => unknown = () => undefined,
): RecordedServices {
  const told = new Map<string, number[]>();
  return {
    told,
    desired: async ({ service }) => told.get(service)?.at(-1),
    async setDesired(name, count) {
      await before(name, count);
      told.set(name.service, [...(told.get(name.service) ?? []), count]);
    },
  };
}
