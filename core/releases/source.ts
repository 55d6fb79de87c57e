/**
 * Determines the source of an endpoint's next release. A revision of a worker combines two parts: the blueprint, a task
 * definition that the deployment of the endpoint's stack has registered, and the endpoint's template, which users update
 * through the API. The desired source is the endpoint's blueprint with the newest version of the template, or with the
 * version that the endpoint pins. A release is due if the desired source differs from the source of the current
 * release. If the endpoint cannot run its template, the source contains the refusal in place of the template's settings.
 * The refusal is stored with its source, and is not repeated.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { isSameSource, type RegisteredRevision, type ReleaseSource } from '../endpoints/release.ts';
import { isVisible } from '../templates/access.ts';
import { carriedId } from '../templates/drift.ts';
import type { Templates } from '../templates/store.ts';
import type { Template } from '../templates/template.ts';
import { PLATFORM } from '../users/owner.ts';
import { compose, type SecretFinder } from './compose.ts';
import type { Revisions } from './revisions.ts';
import { launchTypeOf, ReleaseRefused } from './task-definition.ts';

export type SourcePorts = { readonly templates: Pick<Templates, 'read' | 'pinned'> };

export type RegisterPorts = { readonly revisions: Revisions; readonly vault: SecretFinder };

/** The source of the release that an endpoint should have. */
export interface DesiredSource extends ReleaseSource {
  /** Family in which the revision is registered. */
  readonly family: string;
  /** Settings of the template, or the reason why the endpoint cannot run it. */
  readonly settings: Template | ReleaseRefused;
}

/** The parts of an endpoint that determine its source. */
type SourceFields = Pick<Endpoint, 'id' | 'owner' | 'family' | 'blueprint' | 'template' | 'pinTemplate' | 'release'>;

/** The parts of an endpoint that limit which templates it can run. */
type CapacityFields = Pick<Endpoint, 'category' | 'largestDiskInGb' | 'imageRepositories'>;

export async function desiredSource(ports: SourcePorts, endpoint: SourceFields): Promise<DesiredSource> {
  const { family, template, pinTemplate: pin } = endpoint;
  const blueprint = desiredBlueprint(endpoint);
  const newest = await ports.templates.read(template);
  const settings = await settingsOf(ports, endpoint, newest);
  return { family, blueprint, template: { id: template, version: pin ?? newest?.version ?? 0 }, settings };
}

/**
 * Returns the blueprint to release. While the stack moves the service to another launch type, the current release
 * already has the blueprint of the new launch type, and the endpoint's configuration still names the old one.
 */
const desiredBlueprint = ({ blueprint, release }: SourceFields): string =>
  release && release.movesFrom === blueprint ? release.blueprint : blueprint;

/**
 * Returns the settings of the pinned or newest version of the template, or the reason why the endpoint must not run it.
 * If a template becomes private, endpoints of other owners keep their release, but get no new release. An endpoint can
 * always run the template that its own file contains.
 */
async function settingsOf(
  { templates }: SourcePorts,
  { id, owner = PLATFORM, template, pinTemplate: pin }: SourceFields,
  newest: Template | undefined,
): Promise<Template | ReleaseRefused> {
  if (!newest) return new ReleaseRefused(`Template \`${template}\` does not exist.`);
  if (template !== carriedId(id) && !isVisible(newest, owner))
    return new ReleaseRefused(
      `Template \`${template}\` is now private to an owner other than ${owner}: use another template, or ask its owner to make it public.`,
    );
  if (pin === undefined) return newest;
  const pinned = await templates.pinned(id, template, pin);
  return (
    pinned ??
    new ReleaseRefused(
      `Version ${pin} of template \`${template}\` is not stored: deploy the endpoint again, which stores it.`,
    )
  );
}

/**
 * Registers a revision of the source in ECS.
 * @param capacity the parts of the endpoint that limit which templates it can run; absent if the caller has already
 * checked that the template fits
 * @throws ReleaseRefused if the endpoint cannot run the template
 */
export async function registerRevision(
  { revisions, vault }: RegisterPorts,
  { family, blueprint, template, settings }: DesiredSource,
  capacity?: CapacityFields,
): Promise<RegisteredRevision> {
  const registered = await revisions.read(blueprint);
  if (settings instanceof ReleaseRefused) throw settings;
  const place = capacity && { place: capacity };
  const definition = await compose(vault, { blueprint: registered, family, template: settings, ...place });
  const revision = await revisions.register(definition);
  const launchType = launchTypeOf(registered);
  return { revision, blueprint, template, ...(launchType && { launchType }) };
}

/**
 * Returns whether the source was refused and would be refused again. A deployment stores the template before the
 * repositories from which the endpoint can pull, so a refused release is repeated when these repositories have changed.
 */
export function isStillRefused({ release, imageRepositories }: Endpoint, source: ReleaseSource): boolean {
  const refusal = release?.refused;
  if (!refusal || !isSameSource(refusal, source)) return false;
  return refusal.imageRepositories === undefined || isDeepStrictEqual(refusal.imageRepositories, imageRepositories);
}
