import { CONFLICT, conflictTries, retryOnConflict } from '../conflicts.ts';
import { TemplateInUse } from '../errors.ts';
import { changeable } from './access.ts';
import type { TemplatePorts } from './store.ts';

export interface RemoveRequest {
  /** Owner of the key. */
  readonly owner: string;
  readonly template: string;
}

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
  return retryOnConflict(`template ${id}`, conflictTries.template, async () => {
    const template = await changeable(ports, owner, id);
    if ((await ports.templates.usersOf(id)).length > 0) throw new TemplateInUse(id);
    return (await ports.templates.remove(template)) ? { id } : CONFLICT;
  });
}
