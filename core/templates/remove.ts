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
 * Deletes a template. A copy stays in the table for `DELETED_KEPT`, for the operator; the name is free at once.
 *
 * Input: its id. Output: the same.
 *  1. Refuse a template of another owner, and one that an endpoint uses.
 *  2. Delete it, if it is unchanged since it was read and no endpoint has begun to use it; otherwise read it again.
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
