import { visible } from './access.ts';
import { record, type TemplateRecord } from './record.ts';
import type { TemplateWorld } from './world.ts';

export interface ReadRequest {
  /** Owner of the key. */
  readonly owner: string;
  /** Endpoint ids of the key, `*` for all. */
  readonly permitted: readonly string[];
  readonly template: string;
}

export interface TemplateUser {
  readonly id: string;
}

export interface TemplateInUseRecord extends TemplateRecord {
  readonly endpoints: readonly TemplateUser[];
}

/**
 * Reads a template.
 *
 * Input: its id. Output: its record, and the endpoints that use it, of those that the key may call.
 */
export async function read(
  world: Pick<TemplateWorld, 'templates' | 'endpoints' | 'earnedPerMinute'>,
  { owner, permitted, template: id }: ReadRequest,
): Promise<TemplateInUseRecord> {
  const template = await visible(world, owner, id);
  const users = (await world.templates.usersOf(id)).filter(
    (user) => permitted.includes('*') || permitted.includes(user),
  );
  return { ...(await record(world, template, owner)), endpoints: users.map((user) => ({ id: user })) };
}
