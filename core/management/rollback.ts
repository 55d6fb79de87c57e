/**
 * Rolls an endpoint back to an earlier release. A rollback is an update of the endpoint's template with the settings of the
 * version of that release, so everything that holds for updates also holds for it. The part of a revision that the
 * deployment sets, the blueprint, does not change.
 */
import * as z from 'zod/mini';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { isComplete, MAX_REVISION, numberOf } from '../endpoints/release.ts';
import type { ReleaseRecord } from '../endpoints/release-summary.ts';
import { parseJsonObject } from '../json/json.ts';
import { payloadLimits } from '../limits.ts';
import { keyOf, type ReleaseHistory } from '../releases/history.ts';
import { EndpointNotFound, InvalidRequest, PayloadTooLarge } from '../requests/errors.ts';
import { validate } from '../requests/validation.ts';
import { changeable } from '../templates/access.ts';
import { reason } from '../templates/field-rules.ts';
import { type Template, workerSettings } from '../templates/template.ts';
import { type ChangePorts, changeTemplate, type UpdateRequest } from '../templates/update.ts';

const revisionMust = `must be the \`revision\` of a release of the endpoint, a whole number from 1 to ${MAX_REVISION}`;

const bodySchema = z.object({
  revision: z.int(revisionMust).check(z.gte(1, revisionMust), z.lte(MAX_REVISION, revisionMust)),
  reason: z.exactOptional(reason),
});

export interface RollbackRequest extends Omit<UpdateRequest, 'template' | 'body'> {
  readonly endpoint: string;
  /** Unparsed. */
  readonly body: Uint8Array;
}

export interface Rollback {
  /** Id of the endpoint. */
  readonly id: string;
  /** The release whose settings the template has now. */
  readonly restores: Pick<ReleaseRecord, 'version'> & { readonly revision: number };
  /** Id of the template. */
  readonly template: string;
  /** Version of the template with these settings. */
  readonly version: number;
}

type RollbackPorts = ChangePorts & { readonly history: Pick<ReleaseHistory, 'read'> };

function parse(body: Uint8Array): z.output<typeof bodySchema> {
  if (body.length > payloadLimits.field)
    throw new PayloadTooLarge(
      `The body has ${body.length} bytes; at most ${payloadLimits.field} are allowed for a rollback.`,
    );
  const sent = parseJsonObject(body);
  return validate(bodySchema, Object.fromEntries(sent.names.map((name) => [name, sent.value(name)])), '');
}

/**
 * Returns the template of an endpoint to the settings of an earlier release. The update is rolled out to the endpoint like
 * any other. A repeated call changes nothing.
 *
 * Input: endpoint, and the revision of the release. Output: the version of the template with its settings.
 *  1. Refuse a malformed body, an unknown endpoint, and a template that the caller may not change.
 *  2. Refuse an endpoint that would not run the change, and a template that other endpoints use, because their workers
 *     would be replaced too.
 *  3. Refuse a release that is unknown, runs, was rolled back, or whose settings are not retained.
 *  4. Change the template, as an update does.
 */
export async function rollBack(ports: RollbackPorts, request: RollbackRequest): Promise<Rollback> {
  const { owner, scopes, by, endpoint: id, body } = request;
  const { revision, reason: given } = parse(body);
  const endpoint = await ports.endpoints.readNow(id);
  if (!endpoint) throw new EndpointNotFound(id);
  const template = await changeable(ports, owner, endpoint.template);
  await assertFollows(ports, endpoint);
  const { version, ...release } = await releaseOf(ports, endpoint, revision);
  const restored = await settingsOf(ports, template, { ...release, version }, revision);
  const { version: next } = await changeTemplate(ports, {
    owner,
    scopes,
    by,
    template: template.id,
    changes: workerSettings(restored),
    reason: given,
  });
  return { id, restores: { revision, version }, template: template.id, version: next };
}

/** Checks that a change of the template reaches this endpoint and no other one. */
async function assertFollows(
  { templates }: RollbackPorts,
  { id, template, pinTemplate: pin }: Endpoint,
): Promise<void> {
  if (pin !== undefined)
    throw new InvalidRequest(
      `Endpoint \`${id}\` pins version ${pin} of its template, so it cannot be rolled back: change \`pinTemplate\` in its file, and deploy.`,
    );
  const others = (await templates.endpointsOf(template)).filter((other) => other !== id);
  if (others.length > 0)
    throw new InvalidRequest(
      `Template \`${template}\` is also used by other endpoints (${others.length}), whose workers a rollback would replace too: update the template instead.`,
    );
}

/** Returns the record of a release to which the endpoint can be rolled back. */
async function releaseOf(ports: RollbackPorts, endpoint: Endpoint, revision: number): Promise<ReleaseRecord> {
  const { id, template, release } = endpoint;
  if (release && isComplete(release) && numberOf(release.revision) === revision)
    throw new InvalidRequest(`Endpoint \`${id}\` already runs revision ${revision}: choose an earlier release.`);
  const record = await ports.history.read(id, keyOf(revision));
  if (!record)
    throw new InvalidRequest(
      `Endpoint \`${id}\` has no release with revision ${revision}: \`GET /endpoints/${id}/releases\` lists its releases.`,
    );
  if (record.template !== template)
    throw new InvalidRequest(
      `Revision ${revision} runs template \`${record.template}\`, and endpoint \`${id}\` now uses \`${template}\`: change \`template\` in its file, and deploy.`,
    );
  if (record.state === 'ROLLED_BACK')
    throw new InvalidRequest(
      `Revision ${revision} was rolled back itself, because its workers failed: choose a release that was COMPLETED.`,
    );
  return record;
}

/** Returns the version of the template that the release had. */
async function settingsOf(
  { templates }: RollbackPorts,
  { id, version, createdAt }: Template,
  release: ReleaseRecord,
  revision: number,
): Promise<Template> {
  if (release.version === version)
    throw new InvalidRequest(
      `Revision ${revision} has the settings that template \`${id}\` has now: only a deployment changes what else it has.`,
    );
  // A template of the same id can have been deleted and created again, with the same versions.
  const isOfTemplate = release.startedAt >= createdAt;
  const settings = isOfTemplate ? await templates.replaced(id, release.version) : undefined;
  if (!settings)
    throw new InvalidRequest(
      `The settings of version ${release.version} of template \`${id}\` are no longer stored, so revision ${revision} cannot be restored: update the template.`,
    );
  return settings;
}
