/**
 * A template: the container image of workers and its settings. A change is rolled out to the endpoints that name it.
 */

import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { CATEGORIES, TEMPLATE_ID } from '../endpoints/endpoint.ts';

/**
 * The creator of a template, which alone changes it: a client by the API, a file in `templates/` (an official
 * template), or a file in `endpoints/` that contains its own image.
 */
const origins = ['api', 'git', 'endpoint'] as const;

/** The settings that clients set. */
export const templateSettingsSchema = z.object({
  name: z.string(),
  imageName: z.string(),
  category: z.enum(CATEGORIES),
  /** GB; the disk is deleted with the worker. */
  containerDiskInGb: z.number(),
  /** GB of the volume that stays; 0 for none. */
  volumeInGb: z.number(),
  volumeMountPath: z.string(),
  /** Id of a login that `npm run registry-auth` has stored; absent for a public image. */
  containerRegistryAuthId: z.optional(z.string()),
  /** Empty for the image's own. */
  dockerEntrypoint: z.array(z.string()),
  dockerStartCmd: z.array(z.string()),
  /** Values may be `{{secrets:NAME}}`. */
  env: z.record(z.string(), z.string()),
  /** `8080/http`, `22/tcp`. */
  ports: z.array(z.string()),
  isPublic: z.boolean(),
  isServerless: z.boolean(),
  readme: z.string(),
});

export type TemplateSettings = z.infer<typeof templateSettingsSchema>;

/** A template as the table stores it. */
export const templateSchema = z.extend(templateSettingsSchema, {
  id: z.string().check(z.regex(TEMPLATE_ID)),
  /** Owner of the client key that made it. */
  owner: z.string(),
  origin: z.enum(origins),
  /** Raised by each change that needs new workers, and by no other. */
  version: z.number(),
  /** Raised by each change, so that of two writers at once one reads again. */
  edition: z.number(),
  /**
   * When the file of an official template was deleted while endpoints used it, in milliseconds since the epoch. It is
   * deleted with the last of them. Absent while the file exists.
   */
  withdrawnAt: z.optional(z.number()),
  /** Milliseconds since the epoch. */
  createdAt: z.number(),
  updatedAt: z.number(),
});

export type Template = z.infer<typeof templateSchema>;

/** The settings that a task definition contains: a change of one of them is rolled out. */
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

/** The settings that a worker depends on. */
export type WorkerSettings = Pick<TemplateSettings, (typeof rolledOut)[number]>;

/** Sorts the names of `env`, so that the same variables are the same text. */
const inOrder = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
    : value;

/** Whether the change from one to the other needs new workers. */
export const isRolledOut = (from: WorkerSettings, to: WorkerSettings): boolean =>
  rolledOut.some((field) => JSON.stringify(inOrder(from[field])) !== JSON.stringify(inOrder(to[field])));

/** The fields that an edit may change. */
export type Edit = Partial<Omit<Template, 'id' | 'origin' | 'version' | 'edition' | 'createdAt' | 'updatedAt'>>;

const without = ({ containerRegistryAuthId, withdrawnAt, ...template }: Template): Template => ({
  ...template,
  ...(containerRegistryAuthId !== undefined && { containerRegistryAuthId }),
  ...(withdrawnAt !== undefined && { withdrawnAt }),
});

/** @returns the next edition of the template, or the template itself if the edit changes nothing */
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

/** Invisible characters, such as a zero-width space, make no other name. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/** Returns the key by which names are unique: case and Unicode spelling of a letter make no other name. */
export const nameKeyOf = (name: string): string =>
  name.normalize('NFKC').replace(UNSEEN, '').toUpperCase().toLowerCase().normalize('NFKC').trim();
