import { TemplateInUse } from '../errors.ts';
import { changeable } from './access.ts';
import type { TemplatePorts } from './store.ts';

export interface RemoveRequest {
  /** Owner of the key. */
  readonly owner: string;
  readonly template: string;
}

/** Each time another one has changed it meanwhile. */
const TRIES = 20;

/**
 * Deletes a template. What it was is kept for `DELETED_KEPT`, for who looks into the table; its name is free at once.
 *
 * Input: its id. Output: the same.
 *  1. Refuse one of somebody else, and one that an endpoint uses.
 *  2. Delete it, if it is still as it was read and nobody has begun to use it; otherwise look again.
 */
export async function remove(
  ports: Pick<TemplatePorts, 'templates'>,
  { owner, template: id }: RemoveRequest,
): Promise<{ id: string }> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const template = await changeable(ports, owner, id);
    if ((await ports.templates.usersOf(id)).length > 0) throw new TemplateInUse(id);
    if (await ports.templates.remove(template)) return { id };
  }
  throw new Error(`Template ${id} was changed by others ${TRIES} times.`);
}
