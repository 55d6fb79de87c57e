/** Which template an endpoint runs: one that its file names, or one that its file carries, which its deployments keep. */

import { isVisible, isWithdrawn } from './access.ts';
import { type CapacitySettings, capacityRefusals, type Place, refusalSentence } from './capacity-rules.ts';
import { type DeclaredPorts, PLATFORM, removeWithdrawn } from './declare.ts';
import { TemplateRefused } from './store.ts';
import { edited, type Template, type TemplateSettings } from './template.ts';

/** What a file in `endpoints/` says of the template that it carries. */
export type CarriedSettings = Omit<TemplateSettings, 'name' | 'category' | 'isPublic' | 'isServerless'>;

/** What the stack of an endpoint asks for. */
export interface TemplateRequest {
  readonly endpoint: string;
  /** Whose the endpoint is. @default - the platform's */
  readonly owner?: string;
  /** What its workers run on. */
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
  /** What the file said at the last deployment, if it carried a template then. */
  readonly before?: Partial<CarriedSettings> | undefined;
}

/** Id and name of the template that the file of an endpoint carries. */
export const carriedId = (endpoint: string): string => `endpoint-${endpoint}`;

/** A template that clients change while a deployment does is looked at again. */
const TRIES = 5;

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
 * What the endpoint runs of a template that its file names. Of older versions the table has those alone that the endpoint
 * itself pins, so that updates of templates store nothing for endpoints that do not ask for it.
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

/** What the declaration says now and did not say before; what clients have changed since is left. */
const declaredAnew = (carried: CarriedSettings, before: Partial<CarriedSettings>) =>
  Object.fromEntries(
    Object.entries({ containerRegistryAuthId: undefined, ...carried }).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(Reflect.get(before, field)),
    ),
  ) as Partial<CarriedSettings>;

/** One look at the template that the file carries, and one write. */
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
    ? edited(present, { ...fixed, ...declaredAnew(carried, before) }, now)
    : { ...carried, ...fixed, id, name: id, isPublic: false, origin: 'endpoint', ...started };
  refuseOnCapacity(next, place);
  if (next === present) return 'written';
  return present ? templates.replace(present, next) : templates.create(next);
}

async function carry(ports: DeclaredPorts, request: TemplateRequest, template: CarriedTemplate): Promise<string> {
  const id = carriedId(request.endpoint);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const written = await keep(ports, request, template);
    if (written === 'written') return id;
    if (written === 'name taken')
      throw new TemplateRefused(
        `Another template is called ${id}, which is the name of the endpoint's own: rename it.`,
      );
  }
  throw new Error(`Others changed the template ${id} first, ${TRIES} times.`);
}

/**
 * Notes which template the endpoint runs. To do it twice changes nothing.
 *
 * A template that the file carries is created by its first deployment; later ones change in it exactly what the file says
 * otherwise than before. Either kind has to suit the endpoint's capacity.
 * @returns the template's id
 * @throws TemplateRefused if the version to pin is not kept, the endpoint may not use the template, its capacity cannot
 * honour it, or it is withdrawn and the endpoint does not use it yet
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
 * Notes that the endpoint runs the template no more. The one that its file carried is deleted too, unless others use it,
 * and a withdrawn official one, if this endpoint was its last. To do it twice changes nothing.
 */
export async function dissociate(
  { templates }: Pick<DeclaredPorts, 'templates'>,
  endpoint: string,
  id: string,
): Promise<void> {
  await templates.dissociate(id, endpoint);
  if (id !== carriedId(endpoint)) return removeWithdrawn({ templates }, id);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const template = await templates.read(id);
    if (template?.origin !== 'endpoint' || (await templates.remove(template))) return;
    if ((await templates.usersOf(id)).length > 0) return;
  }
}
