import type { Endpoint } from '../endpoints/endpoint.ts';
import { type ReleaseWorld, revisionOf, wantedOf } from './release.ts';
import { begun } from './state.ts';

export interface WorkerFamily {
  /** Id of the endpoint. */
  readonly endpoint: string;
  readonly family: string;
}

/** What the first revision is made from; without a template, of the blueprint alone. */
export type FirstRevision = WorkerFamily &
  Pick<Endpoint, 'owner' | 'template' | 'pinTemplate' | 'category' | 'largestDiskInGb'> & {
    readonly blueprint: string;
  };

/**
 * Gives a family its first revision, so that a service can name the family.
 *
 * Input: endpoint, family, blueprint and template. A family that has a revision stays as it is: what follows are releases.
 * @throws ReleaseRefused if the endpoint cannot run the template
 */
export async function first(
  world: Pick<ReleaseWorld, 'clock' | 'endpoints' | 'revisions' | 'templates' | 'vault'>,
  { endpoint: id, ...properties }: FirstRevision,
): Promise<void> {
  if ((await world.revisions.list(properties.family)).length > 0) return;
  const wanted = await wantedOf(world, { id, ...properties });
  const revision = await revisionOf(world, wanted, properties);
  const { blueprint, template } = wanted;
  await world.endpoints.noteRelease(
    id,
    undefined,
    begun(undefined, { revision, blueprint, template }, world.clock.now()),
  );
}
