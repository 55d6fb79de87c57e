import { InvalidRequest, TemplateNameTaken } from '../requests/errors.ts';
import { CONFLICT, conflictTries, retryOnConflict } from '../stored-items/conflicts.ts';
import { changeable } from './access.ts';
import { capacityRefusals, refusalSentence } from './capacity-rules.ts';
import { assertUnlocked, type ChangedBy, withDrift } from './drift.ts';
import { recordChange } from './record-change.ts';
import { assertMayName, assertReferences } from './references.ts';
import { readResponse, type TemplateResponse } from './response.ts';
import { assertFitsTaskDefinition, parseUpdate, type TemplateChanges } from './settings.ts';
import type { TemplatePorts } from './store.ts';
import { edited, type Template } from './template.ts';

export interface UpdateRequest {
  /** Owner of the caller. */
  readonly owner: string;
  /** Scopes of the caller. */
  readonly scopes: readonly string[];
  readonly by: ChangedBy;
  readonly template: string;
  /** Unparsed. */
  readonly body: string;
}

/** A change of a template, of which the caller is known and the fields are validated. */
export interface TemplateChange extends Omit<UpdateRequest, 'body'> {
  readonly changes: TemplateChanges;
  /**
   * Why the caller changes fields that a file declares.
   * @default - the caller gives no reason
   */
  readonly reason?: string | undefined;
}

/** Ports of changes of templates. */
export type ChangePorts = Pick<
  TemplatePorts,
  'clock' | 'endpoints' | 'eventHistory' | 'templates' | 'vault' | 'isDeclaredLocked'
>;

/**
 * Updates a template. A change that requires new workers is rolled out to the endpoints that use the template.
 *
 * Input: the fields to change. Output: the template as a response.
 *  1. Refuse a malformed body.
 *  2. Change the template.
 */
export async function update(ports: TemplatePorts, { body, ...request }: UpdateRequest): Promise<TemplateResponse> {
  return readResponse(ports, await changeTemplate(ports, { ...request, ...parseUpdate(body) }), request.owner);
}

/**
 * Changes a template.
 *
 * Input: the caller, and the fields to change. Output: the stored template.
 *  1. Refuse a template of another owner, and registry logins and secrets that the caller may not add or that do not
 *     exist.
 *  2. Refuse changes of fields that a file declares, if the deployment locks them. Otherwise, store them as drift, with
 *     the caller, the time and the reason.
 *  3. Refuse settings that an endpoint with this template does not support, because its workers would never start.
 *  4. Store the template if it has not changed since it was read; otherwise read it again. An update without
 *     changes is not stored.
 *  5. Add a change that is rolled out to the history of the endpoints that run it.
 */
export async function changeTemplate(
  ports: ChangePorts,
  { owner, scopes, by, template: id, changes, reason }: TemplateChange,
): Promise<Template> {
  assertMayName(scopes, changes, await changeable(ports, owner, id));
  await assertReferences(ports, changes);
  return retryOnConflict(`template ${id}`, conflictTries.template, async () => {
    const from = await changeable(ports, owner, id);
    // Check again, because the request would restore references that another writer has removed in the meantime.
    assertMayName(scopes, changes, from);
    const at = ports.clock.now();
    const next = edited(from, changes, at);
    if (next === from) return from;
    const to = withDrift(from, next, { by, at, ...(reason !== undefined && { reason }) });
    if (ports.isDeclaredLocked) assertUnlocked(from, to, { by, reason });
    assertFitsTaskDefinition(to);
    const users = to.version === from.version ? [] : await assertSupported(ports, to);
    const written = await ports.templates.replace(from, to);
    if (written === 'written') {
      await recordChange(ports, { from, to, by, reason, at }, users);
      return to;
    }
    if (written === 'name taken') throw new TemplateNameTaken(to.name);
    return CONFLICT;
  });
}

/**
 * Checks that every endpoint that runs the newest version can run the new version. Endpoints that pin a version
 * are not affected.
 * @returns ids of the endpoints that run the newest version
 * @throws InvalidRequest with the endpoints that cannot, and the reasons
 */
export async function assertSupported(
  { templates, endpoints }: Pick<TemplatePorts, 'templates' | 'endpoints'>,
  template: Template,
): Promise<string[]> {
  const users = await templates.endpointsOf(template.id);
  const found = await Promise.all(users.map((id) => endpoints.read(id)));
  const refusals = found.flatMap((endpoint) => {
    if (endpoint?.pinTemplate !== undefined) return [];
    const reason = endpoint && refusalSentence(capacityRefusals(template, endpoint));
    return reason ? [`Endpoint \`${endpoint.id}\` uses the template and does not support the change: ${reason}`] : [];
  });
  if (refusals.length > 0) throw new InvalidRequest(refusals.join(' '));
  return found.flatMap((endpoint) => (endpoint && endpoint.pinTemplate === undefined ? [endpoint.id] : []));
}
