import { lastRelease, type ReleaseSummary } from '../releases/summary.ts';
import { visible } from './access.ts';
import { type ReadTemplateRecord, record } from './record.ts';
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
  /** The last one, of whatever template; absent before the first. */
  readonly release?: ReleaseSummary;
}

export interface TemplateInUseRecord extends ReadTemplateRecord {
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
  const endpoints = await Promise.all(users.map((user) => userOf(world, user)));
  return { ...(await record(world, template, owner)), endpoints };
}

async function userOf({ endpoints }: Pick<TemplateWorld, 'endpoints'>, id: string): Promise<TemplateUser> {
  const endpoint = await endpoints.readNow(id);
  const release = endpoint && lastRelease(endpoint);
  return { id, ...(release && { release }) };
}
