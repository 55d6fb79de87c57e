import type { ServiceName } from '../../core/endpoints/endpoint.ts';
import type { Services } from '../../core/endpoints/store.ts';

/** Services that keep the counts that they were set to. */
export interface RecordedServices extends Services {
  /** The counts of each service, in the order in which they were set. */
  readonly desiredCounts: Map<string, number[]>;
}

/** @param before is called before a count is set */
export function recordServices(
  before: (service: ServiceName, count: number) => unknown = () => undefined,
): RecordedServices {
  const desiredCounts = new Map<string, number[]>();
  return {
    desiredCounts,
    desired: async ({ service }) => desiredCounts.get(service)?.at(-1),
    desiredOf: async (names) =>
      new Map(
        names.flatMap(({ service }) => {
          const count = desiredCounts.get(service)?.at(-1);
          return count === undefined ? [] : [[service, count] as const];
        }),
      ),
    async setDesired(name, count) {
      await before(name, count);
      desiredCounts.set(name.service, [...(desiredCounts.get(name.service) ?? []), count]);
    },
  };
}
