import { bringBack } from '../workers/lost.ts';
import { scale } from '../workers/scale.ts';
import type { Services, World } from '../world.ts';
import type { FleetEvent, TaskEvent } from './event.ts';
import { type Fact, factOf } from './fact.ts';
import { noteLaunch } from './launch.ts';
import { noteFact } from './note.ts';

export type ObserveWorld = Pick<World, 'clock' | 'endpoints' | 'hints' | 'jobs' | 'workers'> & {
  readonly services: Services;
};

/** What an event was good for. */
export interface Observed {
  /** Ids of those whose workers it is about. */
  readonly endpoints: readonly string[];
  readonly fact?: Fact;
  /** Jobs that wait again. */
  readonly broughtBack: number;
}

/**
 * Takes note of what ECS tells of a service or of one of its tasks, and Auto Scaling of an instance that it could not start.
 * An event may come twice, late and in any order.
 *
 * Input: the event. Output: what it was good for; nothing, if the service or the instance is no endpoint's.
 *  1. Note what it says about the endpoint's workers: why they do not come, or that they do.
 *  2. If a task has stopped, bring back at once what it held, without waiting for its lease to end.
 *  3. If workers fail to start, or something else is released, ask for fewer or more of them.
 */
export async function observe(world: ObserveWorld, event: FleetEvent): Promise<Observed> {
  if (event.of === 'launch') return { ...(await noteLaunch(world, event)), broughtBack: 0 };
  const endpoint = (await world.endpoints.list()).find(({ service }) => service === event.service);
  if (!endpoint) return { endpoints: [], broughtBack: 0 };
  const { id } = endpoint;
  // Before its lease goes, because it is what tells whether the worker was ready.
  const stops = event.of === 'task' && event.stopCode !== undefined;
  const fact = factOf(event, stops ? await world.workers.read(id, event.worker) : undefined);
  const learned = fact && (await noteFact(world, id, fact));

  const broughtBack = event.of === 'task' && event.lastStatus === 'STOPPED' ? await stopped(world, id, event) : 0;
  const backsOff = fact?.is === 'failed' && learned?.backOff !== undefined;
  if (backsOff || fact?.is === 'released') await scale(world, id, 'both');
  return { endpoints: [id], ...(fact && { fact }), broughtBack };
}

/** Notes that the service has a worker to start in the place of the one that has stopped, and brings back its jobs. */
async function stopped(world: ObserveWorld, id: string, { worker }: TaskEvent): Promise<number> {
  const desired = (await world.endpoints.readNow(id))?.desiredWorkers;
  if (desired !== undefined) await world.endpoints.noteDesired(id, desired, desired);
  const lease = await world.workers.read(id, worker);
  // It has stopped, so its word that it lives until later counts no more.
  return lease ? bringBack(world, lease, Math.min(lease.endsAt, world.clock.now() - 1)) : 0;
}
