/**
 * A template: the container image of workers and its settings. A change is rolled out to the endpoints that use
 * it.
 */

import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { CATEGORIES, TEMPLATE_ID } from '../endpoints/endpoint.ts';
import { callerKinds } from '../operations/routes.ts';

/**
 * Origin of a template: the API, a file in `templates/` (an official template, which only the file can change), or a
 * file in `endpoints/` with its own image, which the API can change too.
 */
const origins = ['api', 'git', 'endpoint'] as const;

/** The settings that clients set. */
export const templateSettingsSchema = z.object({
  name: z.string(),
  imageName: z.string(),
  category: z.enum(CATEGORIES),
  /** Disk in GB, which is deleted with the worker. */
  containerDiskInGb: z.number(),
  /** Persistent volume in GB; 0 means no volume. */
  volumeInGb: z.number(),
  volumeMountPath: z.string(),
  /** Id of a registry login that `npx gpu-endpoints registry` stored; absent for a public image. */
  containerRegistryAuthId: z.optional(z.string()),
  /** Entrypoint and command; empty to use the image's own. */
  dockerEntrypoint: z.array(z.string()),
  dockerStartCmd: z.array(z.string()),
  /** Environment variables. A value can be `{{secrets:NAME}}`. */
  env: z.record(z.string(), z.string()),
  /** Ports, such as `8080/http` or `22/tcp`. */
  ports: z.array(z.string()),
  isPublic: z.boolean(),
  isServerless: z.boolean(),
  readme: z.string(),
});

export type TemplateSettings = z.infer<typeof templateSettingsSchema>;

/** The settings that a task definition contains. A change of these settings is rolled out. */
const rolledOut = [
  'imageName',
  'containerDiskInGb',
  'volumeInGb',
  'volumeMountPath',
  'containerRegistryAuthId',
  'dockerEntrypoint',
  'dockerStartCmd',
  'env',
  'ports',
] as const satisfies readonly (keyof TemplateSettings)[];

/** The settings that the file of an endpoint declares, if it contains a template. */
export const declaredFields = [...rolledOut, 'readme'] as const satisfies readonly (keyof TemplateSettings)[];

/** A field whose value a client has changed since the file was deployed. */
export const driftSchema = z.object({
  field: z.enum(declaredFields),
  /** The value in the file, or its default. An empty string if the file has no registry login. */
  declared: z.union([z.string(), z.number(), z.array(z.string()), z.record(z.string(), z.string())]),
  /** The caller who changed the field last, with the name that the key or the user had then. */
  by: z.object({ kind: z.enum(callerKinds), id: z.string(), name: z.string() }),
  /** When the field was changed last, in milliseconds since the epoch. */
  at: z.number(),
  reason: z.optional(z.string()),
});

export type Drift = z.infer<typeof driftSchema>;

/** A template as stored in the table. */
export const templateSchema = z.extend(templateSettingsSchema, {
  id: z.string().check(z.regex(TEMPLATE_ID)),
  /** Owner of the template, such as the owner of the client key that created it. */
  owner: z.string(),
  origin: z.enum(origins),
  /** Incremented only by changes that require new workers. */
  version: z.number(),
  /** Incremented by each change, so that one of two concurrent writers fails and reads the template again. */
  edition: z.number(),
  /**
   * When the file of an official template was deleted while endpoints used the template, in milliseconds since the
   * epoch. Absent while the file exists. The template is deleted when the last endpoint dissociates from it.
   */
  withdrawnAt: z.optional(z.number()),
  /** The fields that differ from the file of the endpoint. Absent if there are none, and without a file. */
  drift: z.optional(z.array(driftSchema)),
  /** Milliseconds since the epoch. */
  createdAt: z.number(),
  updatedAt: z.number(),
});

export type Template = z.infer<typeof templateSchema>;

/** The settings that a worker depends on. */
export type WorkerSettings = Pick<TemplateSettings, (typeof rolledOut)[number]>;

/** Returns the settings of the template that a worker depends on. */
export const workerSettings = (template: WorkerSettings): WorkerSettings =>
  Object.fromEntries(rolledOut.map((field) => [field, template[field]])) as WorkerSettings;

/** Sorts the names of `env`, so that equal variables result in equal JSON. */
const inOrder = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
    : value;

/** Returns whether a change from one template to the other requires new workers. */
export const isRolledOut = (from: WorkerSettings, to: WorkerSettings): boolean =>
  rolledOut.some((field) => JSON.stringify(inOrder(from[field])) !== JSON.stringify(inOrder(to[field])));

/** The fields that an edit can change. */
export type Edit = Partial<Omit<Template, 'id' | 'version' | 'edition' | 'createdAt' | 'updatedAt'>>;

const without = ({ containerRegistryAuthId, withdrawnAt, drift, ...template }: Template): Template => ({
  ...template,
  ...(containerRegistryAuthId !== undefined && { containerRegistryAuthId }),
  ...(withdrawnAt !== undefined && { withdrawnAt }),
  ...(drift !== undefined && { drift }),
});

/**
 * Applies an edit.
 * @returns the next edition of the template, or the template itself if the edit changes nothing
 */
export function edited(template: Template, edit: Edit, now: number): Template {
  const fields = Object.keys(edit) as (keyof Edit)[];
  if (fields.every((field) => isDeepStrictEqual(template[field], edit[field]))) return template;
  const next = without({ ...template, ...edit });
  const version = template.version + (isRolledOut(template, next) ? 1 : 0);
  return { ...next, version, edition: template.edition + 1, updatedAt: now };
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CHARACTERS = 20;

/**
 * Returns an id for a template that a client creates: 100 random bits, without the `-` of ids from declarations.
 * @param random at least as many random bytes as characters
 */
export function templateId(random: Uint8Array): string {
  if (random.length < CHARACTERS) throw new Error('Too few random bytes for a template id.');
  return [...random.slice(0, CHARACTERS)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
}

/** Invisible characters, such as a zero-width space, which do not distinguish names. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/** Returns the key by which names are unique. It ignores case and the Unicode spelling of letters. */
export const nameKeyOf = (name: string): string =>
  name.normalize('NFKC').replace(UNSEEN, '').toUpperCase().toLowerCase().normalize('NFKC').trim();
