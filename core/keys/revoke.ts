import { KeyNotFound } from '../errors.ts';
import { shown } from '../validation.ts';
import { idOf, type KeyRecord, type Keys } from './key.ts';

/** Long enough that a slip of the hand hits nothing. */
const FORM = /^[0-9a-f]{6,64}$/;

/**
 * Removes a client key. Whoever has used it shortly before takes it for up to `KEY_CACHE` more.
 * @param id of the key, or the beginning of it
 * @throws KeyNotFound
 */
export async function revokeKey({ keys }: { readonly keys: Keys }, id: string): Promise<KeyRecord> {
  if (!FORM.test(id)) throw new KeyNotFound(`A key's id has at least 6 characters of 0-9 and a-f, got ${shown(id)}.`);
  const [found, ...others] = (await keys.list()).filter(({ hash }) => hash.startsWith(id));
  if (!found) throw new KeyNotFound(`There is no key ${id}: \`GET /keys\` and \`npm run keys -- list\` show the ids.`);
  if (others.length > 0)
    throw new KeyNotFound(`${id} begins the ids of ${[found, ...others].map(idOf).join(' and ')}: say more of one.`);
  await keys.remove(found.hash);
  return found;
}
