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
  /** Ids of the endpoints with a task that gets no place, even on a missing instance. */
  readonly unplaced: readonly string[];
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
 * Places the largest tasks first, each in the first room that is large enough.
 * @param rooms free resources of instances that run or start
 * @param instance resources of a missing instance
 * @param most maximum number of missing instances
 */
export function pack(waiting: readonly Waiting[], rooms: readonly Room[], instance: Room, most: number): Packed {
  const all = [...rooms];
  const used = new Set<number>();
  const unplaced = new Set<string>();
  const largestFirst = [...waiting].sort(
    ({ size: one }, { size: other }) => other.gpus - one.gpus || other.memory - one.memory || other.cpu - one.cpu,
  );
  for (const { endpoint, count, size } of largestFirst)
    for (let n = 0; n < count; n += 1) {
      let at = all.findIndex((room) => fits(room, size));
      if (at === -1 && fits(instance, size) && all.length - rooms.length < most) at = all.push(instance) - 1;
      const room = all[at];
      if (room === undefined) {
        unplaced.add(endpoint);
        break;
      }
      all[at] = without(room, size);
      used.add(at);
    }
  return { missing: all.length - rooms.length, used, unplaced: [...unplaced] };
}
