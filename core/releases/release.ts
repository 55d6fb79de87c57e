import type { Endpoint } from '../endpoints/endpoint.ts';
import { isApplied, isComplete, isOtherLaunchType, isSameSource, type Release, type ReleaseSource, type ReleaseTarget } from '../endpoints/release.ts';
import type { Endpoints } from '../endpoints/store.ts';
import { EndpointNotFound } from '../errors.ts';
import { RELEASE_PATIENCE, SECOND } from '../limits.ts';
import { isVisible } from '../templates/access.ts';
import { carriedId } from '../templates/associate.ts';
import { PLATFORM } from '../templates/declare.ts';
import type { Templates } from '../templates/store.ts';
import type { Template } from '../templates/template.ts';
import { type ApplyPorts, apply } from './apply.ts';
import { compose, type SecretFinder } from './compose.ts';
import type { Revisions } from './revisions.ts';
import { begun, refused } from './state.ts';
import { launchTypeOf, ReleaseRefused } from './task-definition.ts';

export type ReleasePorts = ApplyPorts & { readonly endpoints: Endpoints } & {
  readonly revisions: Revisions;
  readonly templates: Pick<Templates, 'read' | 'pinned'>;
  readonly vault: SecretFinder;
};

/** Of releases at once, each sees the others' and looks again. */
const TRIES = 10;

/** What the endpoint is to run: of its blueprint, and of its template as it is now, or in the version that it pins. */
interface Wanted extends ReleaseSource {
  readonly family: string;
  /** Absent of an endpoint whose stack is of an older version; an error if the endpoint must not run the template. */
  readonly settings?: Template | ReleaseRefused;
}

type Read = Pick<
  Endpoint,
  'id' | 'owner' | 'family' | 'blueprint' | 'template' | 'pinTemplate' | 'category' | 'largestDiskInGb' | 'release'
>;

type TemplateReader = Pick<ReleasePorts, 'templates'>;

/** A template can become private while endpoints of other owners run it: they keep what runs, and get nothing new. */
async function settingsOf(
  { templates }: TemplateReader,
  { id, owner = PLATFORM, template = '', pinTemplate: pin }: Read,
  present: Template | undefined,
): Promise<Template | ReleaseRefused> {
  if (!present) return new ReleaseRefused(`There is no template \`${template}\`.`);
  if (template !== carriedId(id) && !isVisible(present, owner))
    return new ReleaseRefused(
      `Template \`${template}\` is private now and not of the owner ${owner}: name another template, or have it made public.`,
    );
  if (pin === undefined) return present;
  const pinned = await templates.pinned(id, template, pin);
  return pinned ?? new ReleaseRefused(`Version ${pin} of template \`${template}\` is not kept: deploy the endpoint.`);
}

/** While the stack moves the service to another launch type, its release is ahead of the endpoint's record. */
const blueprintOf = ({ blueprint, release: present }: Pick<Read, 'blueprint' | 'release'>): string | undefined =>
  present && present.movesFrom === blueprint ? present.blueprint : blueprint;

/** @throws EndpointNotFound if its stack says nothing of what to run */
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
 * Registers what is wanted.
 * @throws ReleaseRefused if there is nothing that the endpoint could run
 */
export async function targetOf(
  { revisions, vault }: Pick<ReleasePorts, 'revisions' | 'vault'>,
  { family, blueprint, template, settings }: Wanted,
  place: Pick<Endpoint, 'category' | 'largestDiskInGb'>,
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
 * Makes the endpoint's service run what its record and its template say, by a rolling deployment that nobody waits for.
 *
 * Input: endpoint id. To do it twice, or to go on where it broke off, changes nothing.
 *  1. Do first what is left to do of the present release. If that has to wait for workers, wait with it for
 *     `RELEASE_PATIENCE`, and leave it to the sweeper then.
 *  2. If that is of another blueprint or another version of the template, register a revision and note it as the release.
 *     One that was not noted, as another release came first, is withdrawn. What cannot be run, or was rolled back before,
 *     changes nothing that runs.
 * @throws EndpointNotFound if there is no such endpoint, or its stack says nothing of what to run
 */
export async function release(ports: ReleasePorts, id: string): Promise<void> {
  const patientUntil = ports.clock.now() + RELEASE_PATIENCE;
  let tries = 0;
  while (tries < TRIES) {
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
    } else if (present?.refused && isSameSource(present.refused, wanted)) return;
    else await begin(ports, endpoint, wanted);
  }
  throw new Error(`Other releases of ${id} came first, ${TRIES} times.`);
}

/** What has been told by hand is told again. While a release is on its way, whether ECS has gone back is not seen here. */
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
    const noted = await endpoints.setRelease(id, present, begun(present, target, now));
    // The answer to the write may have been lost, and a second try refused.
    if (!noted && (await endpoints.readNow(id))?.release?.revision !== revision) await revisions.withdraw(revision);
  } catch (error) {
    // Without anything that runs there is nothing to stay with.
    if (!(error instanceof ReleaseRefused) || !present) throw error;
    await endpoints.setRelease(id, present, refused(present, wanted, error.message, now));
  }
}
