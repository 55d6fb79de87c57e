/** Distributes tasks over instances, to find how many instances are missing. */
import type { Placement } from '../endpoints/endpoint.ts';
import type { Room } from './pool.ts';

/** Tasks of one endpoint that wait for a place. */
export interface Waiting {
  readonly endpoint: string;
  readonly count: number;
  readonly size: Placement['worker'];
}

export interface Packed {
  /** Number of missing instances. */
  readonly missing: number;
  /** Positions of the rooms that get a task. */
  readonly used: ReadonlySet<number>;
  /**
   * Highest position that a task of each endpoint gets, by the endpoint's id. The positions of missing instances follow
   * those of the rooms. Infinity if a missing instance has no room either.
   */
  readonly last: ReadonlyMap<string, number>;
}

const fits = (room: Room, { gpus, cpu, memory }: Placement['worker']) =>
  room.tasks >= 1 && room.gpus >= gpus && room.cpu >= cpu && room.memory >= memory;

const without = (room: Room, { gpus, cpu, memory }: Placement['worker']): Room => ({
  gpus: room.gpus - gpus,
  cpu: room.cpu - cpu,
  memory: room.memory - memory,
  tasks: room.tasks - 1,
});

/**
 * Places the largest tasks first, each in the first room that is large enough, or on a missing instance.
 * @param rooms free resources of instances that run or start
 * @param instance resources of a missing instance
 */
export function pack(waiting: readonly Waiting[], rooms: readonly Room[], instance: Room): Packed {
  const all = [...rooms];
  const used = new Set<number>();
  const last = new Map<string, number>();
  const largestFirst = [...waiting].sort(
    ({ size: one }, { size: other }) => other.gpus - one.gpus || other.memory - one.memory || other.cpu - one.cpu,
  );
  for (const { endpoint, count, size } of largestFirst)
    for (let n = 0; n < count; n += 1) {
      const found = all.findIndex((room) => fits(room, size));
      const at = found === -1 && fits(instance, size) ? all.push(instance) - 1 : found;
      const room = all[at];
      last.set(endpoint, room ? at : Number.POSITIVE_INFINITY);
      if (room === undefined) break;
      all[at] = without(room, size);
      used.add(at);
    }
  return { missing: all.length - rooms.length, used, last };
}
