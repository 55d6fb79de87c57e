/** Rules for which owner may see a template, and which owner may change it. */
import { TemplateNotFound, TemplateReadOnly, Unauthorized } from '../errors.ts';
import type { TemplatePorts } from './store.ts';
import type { Template } from './template.ts';

export const isOfficial = ({ origin }: Pick<Template, 'origin'>): boolean => origin === 'git';

/** Whether the template's file was deleted: only the endpoints that use it keep it. */
export const isWithdrawn = ({ withdrawnAt }: Pick<Template, 'withdrawnAt'>): boolean => withdrawnAt !== undefined;

/** Whether the owner may see the template: it is the owner's, public or official. */
export const isVisible = (template: Pick<Template, 'origin' | 'owner' | 'isPublic'>, owner: string): boolean =>
  template.owner === owner || template.isPublic || isOfficial(template);

/** @throws TemplateNotFound if the template does not exist, or the owner may not see it */
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
 * @throws TemplateNotFound
 * @throws TemplateReadOnly for an official template, also to its owner
 * @throws Unauthorized for a public template of another owner
 */
export async function changeable(
  ports: Pick<TemplatePorts, 'templates'>,
  owner: string,
  id: string,
): Promise<Template> {
  const template = await visible(ports, owner, id);
  if (isOfficial(template)) throw new TemplateReadOnly(id);
  if (template.owner !== owner) throw new Unauthorized(`Template \`${id}\` can be changed by its creator alone.`);
  return template;
}
