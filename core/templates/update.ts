import { InvalidRequest, TemplateNameTaken } from '../errors.ts';
import { changeable } from './access.ts';
import { capacityRefusals, refusalSentence } from './capacity-rules.ts';
import { record, type TemplateRecord } from './record.ts';
import { assertMayName, assertReferences } from './references.ts';
import { assertRoom, parseUpdate } from './settings.ts';
import type { TemplatePorts } from './store.ts';
import { edited, type Template } from './template.ts';

export interface UpdateRequest {
  /** Owner of the key. */
  readonly owner: string;
  /** Of the key. */
  readonly scopes: readonly string[];
  readonly template: string;
  /** As it came. */
  readonly body: string;
}

/** Each time another one was faster, so that one of them was done. */
const TRIES = 20;

/**
 * Changes a template. What workers have to be started anew for is rolled out to the endpoints that use it.
 *
 * Input: the fields that change. Output: its record.
 *  1. Refuse a malformed body, a template of another owner, credentials and secrets that the key may not add, and those
 *     that are not there.
 *  2. Refuse what an endpoint that uses it cannot honour: its workers would never start.
 *  3. Store it, if it is still as it was read; otherwise look again. What changes nothing is not stored.
 */
export async function update(
  ports: TemplatePorts,
  { owner, scopes, template: id, body }: UpdateRequest,
): Promise<TemplateRecord> {
  const changes = parseUpdate(body);
  assertMayName(scopes, changes, await changeable(ports, owner, id));
  await assertReferences(ports, changes);
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const from = await changeable(ports, owner, id);
    // What another writer took out meanwhile would be added anew.
    assertMayName(scopes, changes, from);
    const to = edited(from, changes, ports.clock.now());
    if (to === from) return record(ports, from, owner);
    assertRoom(to);
    if (to.version !== from.version) await assertSupported(ports, to);
    const written = await ports.templates.replace(from, to);
    if (written === 'written') return record(ports, to, owner);
    if (written === 'name taken') throw new TemplateNameTaken(to.name);
  }
  throw new Error(`Template ${id} was changed by others ${TRIES} times.`);
}

/**
 * Checks that every endpoint that follows the template can run its new version. Endpoints that pin a version keep
 * theirs.
 * @throws InvalidRequest naming the endpoints that cannot, and why
 */
export async function assertSupported(
  { templates, endpoints }: Pick<TemplatePorts, 'templates' | 'endpoints'>,
  template: Template,
): Promise<void> {
  const users = await templates.usersOf(template.id);
  const found = await Promise.all(users.map((id) => endpoints.read(id)));
  const refusals = found.flatMap((endpoint) => {
    if (endpoint?.pinTemplate !== undefined) return [];
    const why = endpoint && refusalSentence(capacityRefusals(template, endpoint));
    return why ? [`Endpoint \`${endpoint.id}\` uses the template and cannot honour that: ${why}`] : [];
  });
  if (refusals.length > 0) throw new InvalidRequest(refusals.join(' '));
}
