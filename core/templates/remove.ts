import { TemplateInUse } from '../requests/errors.ts';
import { CONFLICT, conflictTries, retryOnConflict } from '../stored-items/conflicts.ts';
import { changeable } from './access.ts';
import type { TemplatePorts } from './store.ts';

export interface RemoveRequest {
  /** Owner of the caller. */
  readonly owner: string;
  readonly template: string;
}

/**
 * Deletes a template. A copy remains in the table for `DELETED_KEPT`, for the operator. The name can be reused
 * immediately.
 *
 * Input: its id. Output: its id.
 *  1. Refuse a template of another owner, and a template that an endpoint uses.
 *  2. Delete the template if it has not changed since it was read and no endpoint uses it; otherwise read it
 *     again.
 */
export async function remove(
  ports: Pick<TemplatePorts, 'templates'>,
  { owner, template: id }: RemoveRequest,
): Promise<{ id: string }> {
  return retryOnConflict(`template ${id}`, conflictTries.template, async () => {
    const template = await changeable(ports, owner, id);
    if ((await ports.templates.endpointsOf(id)).length > 0) throw new TemplateInUse(id);
    return (await ports.templates.remove(template)) ? { id } : CONFLICT;
  });
}
