import type { World } from '../world.ts';
import { bringBack } from './lost.ts';

/** A task of ECS that has stopped, whatever the reason. */
export interface StoppedTask {
  /** Name of the service that it was part of. */
  readonly service: string;
  /** The task's id, which is the worker's. */
  readonly worker: string;
}

/**
 * Brings back at once what a stopped worker held, without waiting for its lease to end.
 *
 * Input: service and worker. Output: how many jobs wait again.
 *  1. Note that the service has a worker to start in its place.
 *  2. Bring back the jobs that its lease names.
 */
export async function stopped(
  world: Pick<World, 'clock' | 'endpoints' | 'hints' | 'jobs' | 'workers'>,
  { service, worker }: StoppedTask,
): Promise<number> {
  const endpoint = (await world.endpoints.list()).find((candidate) => candidate.service === service);
  if (!endpoint) return 0;
  const { id, desiredWorkers } = endpoint;
  if (desiredWorkers !== undefined) await world.endpoints.noteDesired(id, desiredWorkers, desiredWorkers);

  const lease = await world.workers.read(id, worker);
  if (!lease) return 0;
  // It has stopped, so its word that it lives until later counts no more.
  return bringBack(world, lease, Math.min(lease.endsAt, world.clock.now() - 1));
}
