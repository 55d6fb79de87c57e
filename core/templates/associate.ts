/** The template that an endpoint runs: its file names one, or carries one, which its deployments keep up to date. */

import { CONFLICT, conflictTries, retryOnConflict } from '../conflicts.ts';
import { isVisible, isWithdrawn } from './access.ts';
import { type CapacitySettings, capacityRefusals, type Place, refusalSentence } from './capacity-rules.ts';
import { type DeclaredPorts, PLATFORM, removeWithdrawn } from './declare.ts';
import { TemplateRefused } from './store.ts';
import { edited, type Template, type TemplateSettings } from './template.ts';

/** The settings of a template that a file in `endpoints/` carries. */
export type CarriedSettings = Omit<TemplateSettings, 'name' | 'category' | 'isPublic' | 'isServerless'>;

/** The template that the stack of an endpoint asks for. */
export interface TemplateRequest {
  readonly endpoint: string;
  /** Owner of the endpoint. @default - the platform */
  readonly owner?: string;
  /** Capacity of its workers. */
  readonly place: Required<Place>;
  readonly template: NamedTemplate | CarriedTemplate;
}

export interface NamedTemplate {
  /** Id or name. */
  readonly named: string;
  /** The version to run. @default - the newest, in which the endpoint follows each update */
  readonly pin?: number | undefined;
}

export interface CarriedTemplate {
  readonly carried: CarriedSettings;
  /** The settings in the file at the last deployment, if it carried a template then. */
  readonly before?: Partial<CarriedSettings> | undefined;
}

/** Returns the id and name of the template that the file of an endpoint carries. */
export const carriedId = (endpoint: string): string => `endpoint-${endpoint}`;

function refuseOnCapacity(template: CapacitySettings, place: Place): void {
  const why = refusalSentence(capacityRefusals(template, place));
  if (why !== undefined) throw new TemplateRefused(why);
}

/** @throws TemplateRefused also for a template that the owner may not see: its existence stays secret */
async function find({ templates }: DeclaredPorts, named: string, owner: string): Promise<Template> {
  const id = (await templates.named(named)) ?? '';
  const template = (await templates.read(named)) ?? (await templates.read(id));
  if (!template || !isVisible(template, owner))
    throw new TemplateRefused(`There is no template ${JSON.stringify(named)} that endpoints of ${owner} may use.`);
  return template;
}

/**
 * Returns the version of a template that the endpoint runs. The table has only those older versions that the endpoint
 * itself pins, so that updates of templates store nothing for other endpoints.
 */
async function inVersion({ templates }: DeclaredPorts, endpoint: string, found: Template, pin = found.version) {
  if (pin === found.version) return found;
  const kept = await templates.pinned(endpoint, found.id, pin);
  if (kept) return kept;
  throw new TemplateRefused(
    `\`pinTemplate\` is ${pin}, and template \`${found.id}\` has version ${found.version}: an endpoint can pin the present version, or one that it pinned before. Set it to ${found.version}, or leave it out to follow the template.`,
  );
}

const whyUnusable = (found: Template): string =>
  isWithdrawn(found)
    ? `The template \`${found.id}\` is withdrawn: its file in \`templates/\` was deleted. Only the endpoints that use it keep it. Name another template, or restore the file.`
    : `The template \`${found.id}\` was deleted or withdrawn meanwhile: deploy again.`;

/** Returns the settings that differ from the last declaration. Other changes, made by clients since, stay. */
const newlyDeclared = (carried: CarriedSettings, before: Partial<CarriedSettings>) =>
  Object.fromEntries(
    Object.entries({ containerRegistryAuthId: undefined, ...carried }).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(Reflect.get(before, field)),
    ),
  ) as Partial<CarriedSettings>;

/** Reads the template that the file carries, and writes it once. */
async function keep(
  { templates, clock }: DeclaredPorts,
  request: TemplateRequest,
  { carried, before = {} }: CarriedTemplate,
) {
  const { endpoint, owner = PLATFORM, place } = request;
  const id = carriedId(endpoint);
  const now = clock.now();
  const present = await templates.read(id);
  const started = { version: 1, edition: 1, createdAt: now, updatedAt: now };
  const fixed = { owner, category: place.category, isServerless: true };
  const next: Template = present
    ? edited(present, { ...fixed, ...newlyDeclared(carried, before) }, now)
    : { ...carried, ...fixed, id, name: id, isPublic: false, origin: 'endpoint', ...started };
  refuseOnCapacity(next, place);
  if (next === present) return 'written';
  return present ? templates.replace(present, next) : templates.create(next);
}

async function carry(ports: DeclaredPorts, request: TemplateRequest, template: CarriedTemplate): Promise<string> {
  const id = carriedId(request.endpoint);
  return retryOnConflict(`template ${id}`, conflictTries.declaredTemplate, async () => {
    const written = await keep(ports, request, template);
    if (written === 'written') return id;
    if (written === 'name taken')
      throw new TemplateRefused(
        `Another template is called ${id}, which is the name of the endpoint's own: rename it.`,
      );
    return CONFLICT;
  });
}

/**
 * Stores which template the endpoint runs. A second call changes nothing.
 *
 * The first deployment creates a template that the file carries. Later ones change exactly the settings that differ
 * from the file before. The endpoint's capacity has to support a template of either kind.
 * @returns the template's id
 * @throws TemplateRefused if the version to pin is not kept, the endpoint may not use the template, its capacity does
 * not support it, or it is withdrawn and the endpoint does not use it yet
 */
export async function associate(ports: DeclaredPorts, request: TemplateRequest): Promise<string> {
  const { endpoint, owner = PLATFORM, place, template } = request;
  if ('carried' in template) {
    const id = await carry(ports, request, template);
    if (await ports.templates.associate(id, endpoint)) return id;
    throw new TemplateRefused(`The template \`${id}\` was deleted meanwhile: deploy again.`);
  }
  const found = await find(ports, template.named, owner);
  const runs = await inVersion(ports, endpoint, found, template.pin);
  refuseOnCapacity(runs, place);
  if (!(await ports.templates.associate(found.id, endpoint))) throw new TemplateRefused(whyUnusable(found));
  if (template.pin !== undefined) await ports.templates.pin(endpoint, runs);
  return found.id;
}

/**
 * Stores that the endpoint no longer runs the template. Deletes the template that its file carried, unless other
 * endpoints use it, and a withdrawn official one, if this endpoint was its last. A second call changes nothing.
 */
export async function dissociate(
  { templates }: Pick<DeclaredPorts, 'templates'>,
  endpoint: string,
  id: string,
): Promise<void> {
  await templates.dissociate(id, endpoint);
  if (id !== carriedId(endpoint)) return removeWithdrawn({ templates }, id);
  // A template that others keep changing stays: that is no reason to fail the removal of the endpoint.
  for (let tries = 0; tries < conflictTries.declaredTemplate; tries += 1) {
    const template = await templates.read(id);
    if (template?.origin !== 'endpoint' || (await templates.remove(template))) return;
    if ((await templates.usersOf(id)).length > 0) return;
  }
}
