/** Parses the bodies of requests that create and update templates, and adds the defaults. */

import { parseJsonObject } from '../json/json.ts';
import { InvalidRequest, PayloadTooLarge } from '../requests/errors.ts';
import { validate, validateSecret } from '../requests/validation.ts';
import { creationSchema, envSchema, updateSchema } from './field-rules.ts';
import { templateLimits } from './limits.ts';
import type { TemplateSettings } from './template.ts';

/** Fields of responses that no request can set. */
const READ_ONLY = [
  'id',
  'isPlatform',
  'earned',
  'runtimeInMin',
  'version',
  'endpoints',
  'withdrawnAt',
  'declaredIn',
  'drift',
] as const;
/** Fields that updates cannot change, because endpoints rely on them. */
const FIXED = ['category', 'isServerless'] as const;

export const defaults = {
  category: 'NVIDIA',
  containerDiskInGb: templateLimits.containerDiskInGb.default,
  volumeInGb: templateLimits.volumeInGb.default,
  volumeMountPath: '/workspace',
  dockerEntrypoint: [],
  dockerStartCmd: [],
  env: {},
  ports: [],
  isPublic: false,
  isServerless: false,
  readme: '',
} as const satisfies Partial<TemplateSettings>;

/**
 * The fields that an update changes. `containerRegistryAuthId` is present and undefined if the update removes it.
 */
export type TemplateChanges = Partial<TemplateSettings>;

function membersOf(body: string): Readonly<Record<string, unknown>> {
  const size = Buffer.byteLength(body);
  if (size > templateLimits.body)
    throw new PayloadTooLarge(`The body has ${size} bytes; at most ${templateLimits.body} are allowed for a template.`);
  const members = parseJsonObject(body);
  return Object.fromEntries(members.names.map((name) => [name, members.value(name)]));
}

function assertWithout(members: object, fields: readonly string[], reason: string): void {
  const sent = fields.filter((field) => Object.hasOwn(members, field)).map((field) => `\`${field}\``);
  if (sent.length > 0) throw new InvalidRequest(`${sent.join(' and ')} cannot be set: ${reason}.`);
}

/**
 * Returns the validated fields with `env`. An empty `containerRegistryAuthId` becomes undefined, which removes it. `env`
 * is validated separately, because messages must not contain its values.
 */
function changesOf<Fields extends { readonly containerRegistryAuthId?: string | undefined }>(
  fields: Fields,
  { env }: Readonly<Record<string, unknown>>,
) {
  const auth = 'containerRegistryAuthId' in fields && {
    containerRegistryAuthId: fields.containerRegistryAuthId || undefined,
  };
  return { ...fields, ...auth, ...(env !== undefined && { env: validateSecret(envSchema, env, 'env') }) };
}

/**
 * Checks that the settings fit in a task definition. Call it after an update is merged.
 * @throws InvalidRequest if the container's variables, command and ports are too large for a task definition
 */
export function assertFitsTaskDefinition({ env, dockerEntrypoint, dockerStartCmd, ports }: TemplateSettings): void {
  const size = Buffer.byteLength(JSON.stringify({ env, dockerEntrypoint, dockerStartCmd, ports }));
  if (size > templateLimits.container)
    throw new InvalidRequest(
      `\`env\`, \`dockerEntrypoint\`, \`dockerStartCmd\` and \`ports\` have ${size} bytes in total, as JSON; at most ${templateLimits.container} are allowed.`,
    );
}

/**
 * Returns the settings of a new template. Unknown fields are ignored.
 * @throws InvalidRequest with each wrong field and its allowed values
 * @throws PayloadTooLarge
 */
export function parseCreation(body: string): TemplateSettings {
  const members = membersOf(body);
  assertWithout(members, READ_ONLY, 'the service sets it');
  const settings = { ...defaults, ...changesOf(validate(creationSchema, members, ''), members) };
  assertFitsTaskDefinition(settings);
  return settings;
}

/**
 * Returns the changes of an update, and the reason for them, if there is one. All other fields remain unchanged.
 * @throws as `parseCreation`
 */
export function parseUpdate(body: string): { readonly changes: TemplateChanges; readonly reason?: string } {
  const members = membersOf(body);
  assertWithout(members, READ_ONLY, 'the service sets it');
  assertWithout(members, FIXED, 'it is set when the template is created');
  const { reason, ...fields } = validate(updateSchema, members, '');
  return { changes: changesOf(fields, members), ...(reason !== undefined && { reason }) };
}
