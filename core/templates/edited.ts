import { isDeepStrictEqual } from 'node:util';
import { isRolledOut, type Template } from './template.ts';

/** What may be other in a later edition. */
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
