/** Who may see a template, and who may change it. */
import { TemplateNotFound, TemplateReadOnly, Unauthorized } from '../errors.ts';
import type { TemplatePorts } from './store.ts';
import type { Template } from './template.ts';

export const isOfficial = ({ origin }: Pick<Template, 'origin'>): boolean => origin === 'git';

/** Whether its file was deleted: only the endpoints that use it keep it. */
export const isWithdrawn = ({ withdrawnAt }: Pick<Template, 'withdrawnAt'>): boolean => withdrawnAt !== undefined;

/** One's own, public ones, and official ones. */
export const isVisible = (template: Pick<Template, 'origin' | 'owner' | 'isPublic'>, owner: string): boolean =>
  template.owner === owner || template.isPublic || isOfficial(template);

/** @throws TemplateNotFound for one that the owner may not see, as for one that is not there */
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
 * @throws TemplateReadOnly for an official one, whosever it is
 * @throws Unauthorized for a public one of another owner
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
