import type { World } from '../world.ts';
import { idOf, type KeyRecord } from './key.ts';

/** Long enough that a slip of the hand hits nothing. */
const FORM = /^[0-9a-f]{6,64}$/;

/** What was asked for names no key, or more than one. */
export class NoSuchKey extends Error {}

/**
 * Removes a client key. Whoever has used it shortly before takes it for up to `KEY_CACHE` more.
 * @param id of the key, or the beginning of it
 * @throws NoSuchKey
 */
export async function revokeKey({ keys }: Pick<World, 'keys'>, id: string): Promise<KeyRecord> {
  if (!FORM.test(id)) throw new NoSuchKey(`A key's id has at least 6 characters of 0-9 and a-f, got ${id}.`);
  const [found, ...others] = (await keys.list()).filter(({ hash }) => hash.startsWith(id));
  if (!found) throw new NoSuchKey(`There is no key ${id}: \`npm run keys -- list\` shows the ids.`);
  if (others.length > 0)
    throw new NoSuchKey(`${id} begins the ids of ${[found, ...others].map(idOf).join(' and ')}: say more of one.`);
  await keys.remove(found.hash);
  return found;
}
