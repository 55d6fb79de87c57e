/** The bodies of the calls that make and change templates: read, checked, and completed with defaults. */
import { InvalidRequest, PayloadTooLarge } from '../errors.ts';
import { parseJsonObject } from '../json.ts';
import { validate, validateSecret } from '../validation.ts';
import { creationSchema, envSchema, updateSchema } from './field-rules.ts';
import { templateLimits } from './limits.ts';
import type { TemplateSettings } from './template.ts';

/** What answers tell and nobody can set. */
const TOLD = ['id', 'isPlatform', 'earned', 'runtimeInMin', 'version', 'endpoints', 'withdrawnAt'] as const;
/** What a template is made for stays: endpoints rely on it. */
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

/** What an update changes; `containerRegistryAuthId` is there and nothing if it is taken away. */
export type TemplateChanges = Partial<TemplateSettings>;

function membersOf(body: string): Readonly<Record<string, unknown>> {
  const size = Buffer.byteLength(body);
  if (size > templateLimits.body)
    throw new PayloadTooLarge(`The body has ${size} bytes; that of a template has at most ${templateLimits.body}.`);
  const members = parseJsonObject(body);
  return Object.fromEntries(members.names.map((name) => [name, members.value(name)]));
}

function assertWithout(members: object, fields: readonly string[], why: string): void {
  const sent = fields.filter((field) => Object.hasOwn(members, field)).map((field) => `\`${field}\``);
  if (sent.length > 0) throw new InvalidRequest(`${sent.join(' and ')} cannot be set: ${why}.`);
}

/** Variables by themselves: what is wrong with them is said without their values. */
function changesOf<Fields extends { readonly containerRegistryAuthId?: string | undefined }>(
  fields: Fields,
  { env }: Readonly<Record<string, unknown>>,
) {
  const auth = 'containerRegistryAuthId' in fields && {
    containerRegistryAuthId: fields.containerRegistryAuthId || undefined,
  };
  return { ...fields, ...auth, ...(env !== undefined && { env: validateSecret(envSchema, env, 'env') }) };
}

/** @throws InvalidRequest if task definitions have no room for what the container is told */
export function assertRoom({ env, dockerEntrypoint, dockerStartCmd, ports }: TemplateSettings): void {
  const size = Buffer.byteLength(JSON.stringify({ env, dockerEntrypoint, dockerStartCmd, ports }));
  if (size > templateLimits.container)
    throw new InvalidRequest(
      `\`env\`, \`dockerEntrypoint\`, \`dockerStartCmd\` and \`ports\` have ${size} bytes together, as JSON; a task definition has room for ${templateLimits.container}.`,
    );
}

/**
 * The settings of a new template.
 * @throws InvalidRequest naming each field that is wrong, and what is allowed. Unknown fields are ignored.
 * @throws PayloadTooLarge
 */
export function parseCreation(body: string): TemplateSettings {
  const members = membersOf(body);
  assertWithout(members, TOLD, 'the service tells it');
  const settings = { ...defaults, ...changesOf(validate(creationSchema, members, ''), members) };
  assertRoom(settings);
  return settings;
}

/** What an update is to change: what it does not name stays. @throws as `parseCreation` */
export function parseUpdate(body: string): TemplateChanges {
  const members = membersOf(body);
  assertWithout(members, TOLD, 'the service tells it');
  assertWithout(members, FIXED, 'it stays as the template was made with it');
  return changesOf(validate(updateSchema, members, ''), members);
}
