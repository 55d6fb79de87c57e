import { isDeepStrictEqual } from 'node:util';
import { conflictTries } from '../conflicts.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import {
  isApplied,
  isComplete,
  isOtherLaunchType,
  isSameSource,
  type Release,
  type ReleaseSource,
  type ReleaseTarget,
} from '../endpoints/release.ts';
import { EndpointNotFound } from '../errors.ts';
import { RELEASE_PATIENCE, SECOND } from '../limits.ts';
import { isVisible } from '../templates/access.ts';
import { PLATFORM } from '../templates/declare.ts';
import { carriedId } from '../templates/drift.ts';
import type { Templates } from '../templates/store.ts';
import type { Template } from '../templates/template.ts';
import { type ApplyPorts, apply } from './apply.ts';
import { compose, type SecretFinder } from './compose.ts';
import type { Revisions } from './revisions.ts';
import { begun, refused } from './state.ts';
import { launchTypeOf, ReleaseRefused } from './task-definition.ts';

export type ReleasePorts = ApplyPorts & {
  readonly revisions: Revisions;
  readonly templates: Pick<Templates, 'read' | 'pinned'>;
  readonly vault: SecretFinder;
};

/**
 * The source of the release that the endpoint should have: its blueprint, and the newest or pinned version of its
 * template.
 */
interface Wanted extends ReleaseSource {
  readonly family: string;
  /**
   * The template. Absent if an older version deployed the endpoint's stack; an error if the endpoint must not run
   * the template.
   */
  readonly settings?: Template | ReleaseRefused;
}

type Read = Pick<Endpoint, 'id' | 'owner' | 'family' | 'blueprint' | 'template' | 'pinTemplate' | 'release'>;

/** What the endpoint's capacity determines. */
type ReadPlace = Pick<Endpoint, 'category' | 'largestDiskInGb' | 'imageRepositories'>;

type TemplateReader = Pick<ReleasePorts, 'templates'>;

/**
 * Returns the template, or an error if the endpoint must not run it. If a template becomes private, endpoints of
 * other owners keep their release, but get no new release.
 */
async function settingsOf(
  { templates }: TemplateReader,
  { id, owner = PLATFORM, template = '', pinTemplate: pin }: Read,
  present: Template | undefined,
): Promise<Template | ReleaseRefused> {
  if (!present) return new ReleaseRefused(`Template \`${template}\` does not exist.`);
  if (template !== carriedId(id) && !isVisible(present, owner))
    return new ReleaseRefused(
      `Template \`${template}\` is now private to an owner other than ${owner}: use another template, or ask its owner to make it public.`,
    );
  if (pin === undefined) return present;
  const pinned = await templates.pinned(id, template, pin);
  return pinned ?? new ReleaseRefused(`Version ${pin} of template \`${template}\` is not stored: deploy the endpoint.`);
}

/**
 * Returns the blueprint to release. While the stack moves the service to another launch type, the release is ahead
 * of the endpoint's configuration.
 */
const blueprintOf = ({ blueprint, release: present }: Pick<Read, 'blueprint' | 'release'>): string | undefined =>
  present && present.movesFrom === blueprint ? present.blueprint : blueprint;

/** Returns the source to release. @throws EndpointNotFound if the stack registered no family or no blueprint */
export async function wantedOf(ports: TemplateReader, endpoint: Read): Promise<Wanted> {
  const { id, family, template, pinTemplate: pin } = endpoint;
  const blueprint = blueprintOf(endpoint);
  if (family === undefined || blueprint === undefined) throw new EndpointNotFound(id);
  if (template === undefined) return { family, blueprint };
  const present = await ports.templates.read(template);
  const settings = await settingsOf(ports, endpoint, present);
  return { family, blueprint, template: { id: template, version: pin ?? present?.version ?? 0 }, settings };
}

/**
 * Registers the revision that the endpoint should run.
 * @throws ReleaseRefused if the endpoint cannot run the template
 */
export async function targetOf(
  { revisions, vault }: Pick<ReleasePorts, 'revisions' | 'vault'>,
  { family, blueprint, template, settings }: Wanted,
  place: ReadPlace,
): Promise<ReleaseTarget> {
  const made = await revisions.read(blueprint);
  if (settings instanceof ReleaseRefused) throw settings;
  const definition = settings
    ? await compose(vault, { blueprint: made, family, template: settings, place })
    : undefined;
  const revision = await revisions.register(definition ?? { ...made, family });
  const launchType = launchTypeOf(made);
  return { revision, blueprint, ...(template && { template }), ...(launchType && { launchType }) };
}

/**
 * Returns whether the source was refused and would be refused again. A deployment stores the template before the
 * repositories from which the endpoint can pull, so a release that was refused is repeated when they have changed.
 */
export function isStillRefused({ release: present, imageRepositories: now }: Endpoint, wanted: ReleaseSource): boolean {
  const refusal = present?.refused;
  if (!refusal || !isSameSource(refusal, wanted)) return false;
  const { imageRepositories: then } = refusal;
  return then === undefined || isDeepStrictEqual(then, now);
}

/**
 * Releases the endpoint's blueprint and template to its service. Starts a rolling deployment and does not wait for
 * it.
 *
 * Input: endpoint id. Can run twice, and continues after a crash.
 *  1. Apply the current release. If it has to wait for workers, try again for `RELEASE_PATIENCE`, then leave the
 *     release to the sweeper.
 *  2. If the endpoint's blueprint or template version differs from that of the current release, register a
 *     revision and store it as the release. Deregister the revision if another release was stored first. A template
 *     that the endpoint cannot run, or a release that was rolled back before, does not change the running release.
 * @throws EndpointNotFound if the endpoint does not exist, or its stack registered no family or no blueprint
 * @throws ReleaseRefused if the endpoint cannot run the template and has no release yet
 */
export async function release(ports: ReleasePorts, id: string): Promise<void> {
  const patientUntil = ports.clock.now() + RELEASE_PATIENCE;
  let tries = 0;
  while (tries < conflictTries.endpoint) {
    const endpoint = await ports.endpoints.readNow(id);
    if (!endpoint) throw new EndpointNotFound(id);
    const { release: present } = endpoint;
    if (present && !isApplied(present)) {
      if (await apply(ports, { ...endpoint, release: present })) tries += 1;
      else if (ports.clock.now() < patientUntil) await ports.clock.pause(SECOND);
      else return;
      continue;
    }
    tries += 1;
    const wanted = await wantedOf(ports, endpoint);
    if (present && isSameSource(present, wanted)) {
      if (!present.refused) return keepRunning(ports, endpoint, present);
      const { refused: _, ...rest } = present;
      await ports.endpoints.setRelease(id, present, rest);
    } else if (isStillRefused(endpoint, wanted)) return;
    else await begin(ports, endpoint, wanted);
  }
  throw new Error(
    `The release of ${id} failed: other releases were stored first in all ${conflictTries.endpoint} attempts.`,
  );
}

/**
 * Deploys the revision again if the service was changed manually. `follow` handles rollbacks of a release in
 * progress.
 */
async function keepRunning({ revisions }: ReleasePorts, endpoint: Endpoint, present: Release): Promise<void> {
  if (!isComplete(present)) return;
  const running = await revisions.running(endpoint);
  if (running?.revision === present.revision || isOtherLaunchType(running?.launchType, present.launchType)) return;
  await revisions.deploy(endpoint, present.revision);
}

async function begin(ports: ReleasePorts, endpoint: Endpoint, wanted: Wanted): Promise<void> {
  const { endpoints, revisions } = ports;
  const { id, release: present } = endpoint;
  const now = ports.clock.now();
  try {
    const target = await targetOf(ports, wanted, endpoint);
    const { revision } = target;
    const isSet = await endpoints.setRelease(id, present, begun(present, target, now));
    // The first attempt of the write might have succeeded although its response was lost. The repeated write is
    // then refused.
    if (!isSet && (await endpoints.readNow(id))?.release?.revision !== revision) await revisions.withdraw(revision);
  } catch (error) {
    // An endpoint without a release has no release that could continue to run.
    if (!(error instanceof ReleaseRefused) || !present) throw error;
    const { imageRepositories } = endpoint;
    const source = { ...wanted, ...(imageRepositories && { imageRepositories }) };
    await endpoints.setRelease(id, present, refused(present, source, error.message, now));
  }
}
