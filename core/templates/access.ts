/** Rules that determine which owners can see and change a template. */
import { TemplateNotFound, TemplateReadOnly, Unauthorized } from '../requests/errors.ts';
import type { TemplatePorts } from './store.ts';
import type { Template } from './template.ts';

export const isOfficial = ({ origin }: Pick<Template, 'origin'>): boolean => origin === 'git';

/** Returns whether the template's file was deleted. Only endpoints that already use such a template can run it. */
export const isWithdrawn = ({ withdrawnAt }: Pick<Template, 'withdrawnAt'>): boolean => withdrawnAt !== undefined;

/** Returns whether the owner can see the template: it belongs to the owner, is public, or is official. */
export const isVisible = (template: Pick<Template, 'origin' | 'owner' | 'isPublic'>, owner: string): boolean =>
  template.owner === owner || template.isPublic || isOfficial(template);

/**
 * Reads a template that the owner can see: one of the owner's, a public one or an official one.
 * @throws TemplateNotFound if there is none with this id
 */
export async function visible(
  { templates }: Pick<TemplatePorts, 'templates'>,
  owner: string,
  id: string,
): Promise<Template> {
  const template = await templates.read(id);
  if (!template || !isVisible(template, owner)) throw new TemplateNotFound(id);
  return template;
}

/**
 * Reads a template that the owner can change.
 * @throws TemplateNotFound
 * @throws TemplateReadOnly for an official template, even for its owner
 * @throws Unauthorized for a public template of another owner
 */
export async function changeable(
  ports: Pick<TemplatePorts, 'templates'>,
  owner: string,
  id: string,
): Promise<Template> {
  const template = await visible(ports, owner, id);
  if (isOfficial(template)) throw new TemplateReadOnly(id);
  if (template.owner !== owner) throw new Unauthorized(`Only the owner of template \`${id}\` can change it.`);
  return template;
}
