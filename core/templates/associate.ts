/**
 * The template that an endpoint runs. The endpoint file names a template or contains one, which deployments keep
 * up to date.
 */

import { CONFLICT, conflictTries, retryOnConflict } from '../stored-items/conflicts.ts';
import { PLATFORM } from '../users/owner.ts';
import { isVisible, isWithdrawn } from './access.ts';
import { type CapacitySettings, capacityRefusals, type Place, refusalSentence } from './capacity-rules.ts';
import { type DeclaredPorts, removeWithdrawn } from './declare.ts';
import { carriedId, overwrittenBy } from './drift.ts';
import { TemplateRefused, type Written } from './store.ts';
import { type Drift, edited, type Template, type TemplateSettings } from './template.ts';

/** Settings of a template that a file in `endpoints/` contains. */
export type CarriedSettings = Omit<TemplateSettings, 'name' | 'category' | 'isPublic' | 'isServerless'>;

/** The template that the stack of an endpoint requests. */
export interface TemplateRequest {
  readonly endpoint: string;
  /**
   * Owner of the endpoint.
   * @default - the platform
   */
  readonly owner?: string;
  /** Capacity of the endpoint's workers. */
  readonly place: Place;
  readonly template: NamedTemplate | CarriedTemplate;
}

export interface NamedTemplate {
  /** Id or name of the template. */
  readonly named: string;
  /**
   * The version to run.
   * @default - always the newest version
   */
  readonly pin?: number | undefined;
}

export interface CarriedTemplate {
  readonly carried: CarriedSettings;
}

export interface Association {
  /** Id of the template. */
  readonly template: string;
  /** The changes by clients that this deployment has overwritten. */
  readonly takenBack: readonly Drift[];
}

function refuseOnCapacity(template: CapacitySettings, place: Place): void {
  const reason = refusalSentence(capacityRefusals(template, place));
  if (reason !== undefined) throw new TemplateRefused(reason);
}

/**
 * Finds the template that an endpoint's file names, by its name or its id.
 * @throws TemplateRefused if the template does not exist or the owner cannot see it, without revealing which
 */
async function find({ templates }: DeclaredPorts, named: string, owner: string): Promise<Template> {
  const id = (await templates.named(named)) ?? '';
  const template = (await templates.read(named)) ?? (await templates.read(id));
  if (!template || !isVisible(template, owner))
    throw new TemplateRefused(
      `Endpoints of ${owner} cannot use a template ${JSON.stringify(named)}: it does not exist or is private.`,
    );
  return template;
}

/**
 * Returns the version of the template that the endpoint runs. Only older versions that an endpoint pins are
 * stored, so that updates of templates do not have to store every version.
 */
async function inVersion({ templates }: DeclaredPorts, endpoint: string, found: Template, pin = found.version) {
  if (pin === found.version) return found;
  const kept = await templates.pinned(endpoint, found.id, pin);
  if (kept) return kept;
  throw new TemplateRefused(
    `\`pinTemplate\` is ${pin}, and template \`${found.id}\` has version ${found.version}: an endpoint can pin the current version or a version that it pinned before. Set it to ${found.version}, or omit it to use each new version.`,
  );
}

const unusableReason = (found: Template): string =>
  isWithdrawn(found)
    ? `The template \`${found.id}\` is withdrawn: its file in \`templates/\` was deleted. Only endpoints that already use it can run it. Use another template, or restore the file.`
    : `The template \`${found.id}\` was deleted or withdrawn during the deployment: deploy again.`;

/** Makes one attempt to write the template that the file contains. */
async function keep(
  { templates, clock }: DeclaredPorts,
  request: TemplateRequest,
  { carried }: CarriedTemplate,
): Promise<{ readonly written: Written; readonly takenBack: readonly Drift[] }> {
  const { endpoint, owner = PLATFORM, place } = request;
  const id = carriedId(endpoint);
  const now = clock.now();
  const present = await templates.read(id);
  const started = { version: 1, edition: 1, createdAt: now, updatedAt: now };
  const fixed = { owner, category: place.category, isServerless: true, origin: 'endpoint' } as const;
  const declared = { containerRegistryAuthId: undefined, drift: undefined, ...carried };
  const next: Template = present
    ? edited(present, { ...fixed, ...declared }, now)
    : { ...carried, ...fixed, id, name: id, isPublic: false, ...started };
  refuseOnCapacity(next, place);
  const takenBack = present ? overwrittenBy(carried, present) : [];
  if (next === present) return { written: 'written', takenBack };
  return { written: await (present ? templates.replace(present, next) : templates.create(next)), takenBack };
}

async function carry(ports: DeclaredPorts, request: TemplateRequest, template: CarriedTemplate): Promise<Association> {
  const id = carriedId(request.endpoint);
  return retryOnConflict(`template ${id}`, conflictTries.declaredTemplate, async () => {
    const { written, takenBack } = await keep(ports, request, template);
    if (written === 'written') return { template: id, takenBack };
    if (written === 'name taken')
      throw new TemplateRefused(
        `Another template has the name ${id}, which the endpoint's own template needs: rename the other template.`,
      );
    return CONFLICT;
  });
}

/**
 * Stores the template that the endpoint runs. A second call changes nothing.
 *
 * A template that the file contains gets all settings of the file, also those that clients have changed. The
 * endpoint's capacity must support the template.
 * @throws TemplateRefused if the version to pin is not stored, if the endpoint may not use the template, if its
 * capacity does not support the template, or if the template is withdrawn and the endpoint does not use it yet
 */
export async function associate(ports: DeclaredPorts, request: TemplateRequest): Promise<Association> {
  const { endpoint, owner = PLATFORM, place, template } = request;
  if ('carried' in template) {
    const carried = await carry(ports, request, template);
    if (await ports.templates.associate(carried.template, endpoint)) return carried;
    throw new TemplateRefused(`The template \`${carried.template}\` was deleted during the deployment: deploy again.`);
  }
  const found = await find(ports, template.named, owner);
  const runs = await inVersion(ports, endpoint, found, template.pin);
  refuseOnCapacity(runs, place);
  if (!(await ports.templates.associate(found.id, endpoint))) throw new TemplateRefused(unusableReason(found));
  if (template.pin !== undefined) await ports.templates.pin(endpoint, runs);
  return { template: found.id, takenBack: [] };
}

/**
 * Stores that the endpoint no longer runs the template. Deletes the template that the endpoint file contained. If other
 * endpoints use that template, it remains without a file, like a template of the API. Deletes a withdrawn official
 * template if this endpoint was the last. A second call changes nothing.
 */
export async function dissociate({ templates, clock }: DeclaredPorts, endpoint: string, id: string): Promise<void> {
  await templates.dissociate(id, endpoint);
  if (id !== carriedId(endpoint)) return removeWithdrawn({ templates }, id);
  // A template that still conflicts after all attempts is not deleted, because the removal of the endpoint must
  // not fail.
  for (let tries = 0; tries < conflictTries.declaredTemplate; tries += 1) {
    const template = await templates.read(id);
    if (template?.origin !== 'endpoint' || (await templates.remove(template))) return;
    if ((await templates.endpointsOf(id)).length === 0) continue;
    const released = edited(template, { origin: 'api', drift: undefined }, clock.now());
    if ((await templates.replace(template, released)) === 'written') return;
  }
}
