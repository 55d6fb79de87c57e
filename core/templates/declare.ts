/** Official templates: each has exactly the settings of its file in `templates/`. */
import { CONFLICT, conflictTries, retryOnConflict } from '../stored-items/conflicts.ts';
import { PLATFORM } from '../users/owner.ts';
import { isWithdrawn } from './access.ts';
import { type TemplatePorts, TemplateRefused } from './store.ts';
import { edited, type Template, type TemplateSettings } from './template.ts';

export type DeclaredPorts = Pick<TemplatePorts, 'templates' | 'clock'>;

async function write({ templates, clock }: DeclaredPorts, id: string, settings: TemplateSettings) {
  const now = clock.now();
  const present = await templates.read(id);
  if (present && present.origin !== 'git')
    throw new TemplateRefused(`Template \`${id}\` exists and is not declared in a file: rename the file.`);
  const started = { version: 1, edition: 1, createdAt: now, updatedAt: now };
  if (!present) return templates.create({ ...settings, id, owner: PLATFORM, origin: 'git', ...started });
  const absent = { containerRegistryAuthId: undefined, withdrawnAt: undefined } satisfies Partial<Template>;
  const next = edited(present, { ...absent, ...settings }, now);
  return next === present ? 'written' : templates.replace(present, next);
}

/**
 * Sets the official template to the settings of its file. A second call changes nothing. A withdrawn template
 * becomes official again.
 *
 * Input: id, which is the file's name, and settings. Endpoints that use the template get a release if its version
 * changes, unless their files pin another version.
 * @throws TemplateRefused if another template has the name or the id
 */
export async function declare(ports: DeclaredPorts, id: string, settings: TemplateSettings): Promise<void> {
  await retryOnConflict(`template ${id}`, conflictTries.declaredTemplate, async () => {
    const written = await write(ports, id, settings);
    if (written === 'written') return undefined;
    if (written === 'name taken')
      throw new TemplateRefused(`Another template has the name ${JSON.stringify(settings.name)}: use a unique name.`);
    return CONFLICT;
  });
}

/**
 * Removes an official template whose file was deleted. While endpoints use the template, it is withdrawn instead:
 * these endpoints can still run it, but no other endpoint can begin to use it, and it is deleted when the last
 * endpoint dissociates from it. A template that does not exist or is not official does not change.
 *
 *  1. Delete the template if no endpoint uses it.
 *  2. Otherwise mark it withdrawn, so that no endpoint is added, and repeat step 1, because an endpoint that
 *     dissociated before the mark has not deleted it.
 */
export async function undeclare({ templates, clock }: DeclaredPorts, id: string): Promise<void> {
  await retryOnConflict(`template ${id}`, conflictTries.declaredTemplate, async () => {
    const present = await templates.read(id);
    if (present?.origin !== 'git' || (await templates.remove(present))) return undefined;
    if (isWithdrawn(present)) return (await templates.endpointsOf(id)).length > 0 ? undefined : CONFLICT;
    await templates.replace(present, edited(present, { withdrawnAt: clock.now() }, clock.now()));
    return CONFLICT;
  });
}

/**
 * Deletes a withdrawn template that no endpoint uses. Any other template does not change. Called by each endpoint
 * that dissociates from a template.
 */
export async function removeWithdrawn({ templates }: Pick<DeclaredPorts, 'templates'>, id: string): Promise<void> {
  await retryOnConflict(`template ${id}`, conflictTries.declaredTemplate, async () => {
    const present = await templates.read(id);
    if (!present || !isWithdrawn(present) || (await templates.remove(present))) return undefined;
    return (await templates.endpointsOf(id)).length > 0 ? undefined : CONFLICT;
  });
}
