import type { Revisions, World } from '../world.ts';

export interface WorkerFamily {
  /** Id of the endpoint. */
  readonly endpoint: string;
  readonly family: string;
}

export type ReleaseWorld = Pick<World, 'endpoints'> & { readonly revisions: Revisions };

/**
 * Gives a family its first revision, so that a service can name the family.
 *
 * Input: endpoint, family and blueprint. A family that has a revision stays as it is: what follows are releases.
 */
export async function first(
  { endpoints, revisions }: ReleaseWorld,
  { endpoint, family, blueprint }: WorkerFamily & { readonly blueprint: string },
): Promise<void> {
  if ((await revisions.list(family)).length > 0) return;
  const revision = await revisions.register({ ...(await revisions.read(blueprint)), family });
  await endpoints.noteRelease(endpoint, undefined, { revision, blueprint });
}
