/** Official templates: each has exactly the settings of its file in `templates/`. */
import { CONFLICT, conflictTries, retryOnConflict } from '../conflicts.ts';
import { isWithdrawn } from './access.ts';
import { type TemplatePorts, TemplateRefused } from './store.ts';
import { edited, type Template, type TemplateSettings } from './template.ts';

/** The owner of all that this deployment itself declares. */
export const PLATFORM = 'platform';

export type DeclaredPorts = Pick<TemplatePorts, 'templates' | 'clock'>;

async function write({ templates, clock }: DeclaredPorts, id: string, settings: TemplateSettings) {
  const now = clock.now();
  const present = await templates.read(id);
  if (present && present.origin !== 'git')
    throw new TemplateRefused(`There is a template \`${id}\` that no file declares: give the file another name.`);
  const started = { version: 1, edition: 1, createdAt: now, updatedAt: now };
  if (!present) return templates.create({ ...settings, id, owner: PLATFORM, origin: 'git', ...started });
  const absent = { containerRegistryAuthId: undefined, withdrawnAt: undefined } satisfies Partial<Template>;
  const next = edited(present, { ...absent, ...settings }, now);
  return next === present ? 'written' : templates.replace(present, next);
}

/**
 * Gives the official template the settings of its file. A second call changes nothing. A withdrawn one is official
 * again.
 *
 * Input: id, which is the file's name, and settings. The endpoints that use it get a release, as after any change.
 * @throws TemplateRefused if another template has the name or the id
 */
export async function declare(ports: DeclaredPorts, id: string, settings: TemplateSettings): Promise<void> {
  await retryOnConflict(`template ${id}`, conflictTries.declaredTemplate, async () => {
    const written = await write(ports, id, settings);
    if (written === 'written') return undefined;
    if (written === 'name taken')
      throw new TemplateRefused(`Another template is called ${JSON.stringify(settings.name)}: names are unique.`);
    return CONFLICT;
  });
}

/**
 * Removes an official template whose file was deleted. While endpoints use it, it is withdrawn instead: they keep it,
 * no other endpoint can begin to use it, and it is deleted when the last of them dissociates from it. A template that
 * does not exist, or is not official, stays as it is.
 *
 *  1. Delete it, if no endpoint uses it.
 *  2. Otherwise mark it withdrawn, so that no endpoint is added, and repeat step 1: an endpoint that dissociated before
 *     the mark has not deleted it.
 */
export async function undeclare({ templates, clock }: DeclaredPorts, id: string): Promise<void> {
  await retryOnConflict(`template ${id}`, conflictTries.declaredTemplate, async () => {
    const present = await templates.read(id);
    if (present?.origin !== 'git' || (await templates.remove(present))) return undefined;
    if (isWithdrawn(present)) return (await templates.usersOf(id)).length > 0 ? undefined : CONFLICT;
    await templates.replace(present, edited(present, { withdrawnAt: clock.now() }, clock.now()));
    return CONFLICT;
  });
}

/**
 * Deletes a withdrawn template that no endpoint uses any more. Any other template stays as it is.
 * Each endpoint that dissociates calls it, and the last one finds no other user.
 */
export async function removeWithdrawn({ templates }: Pick<DeclaredPorts, 'templates'>, id: string): Promise<void> {
  await retryOnConflict(`template ${id}`, conflictTries.declaredTemplate, async () => {
    const present = await templates.read(id);
    if (!present || !isWithdrawn(present) || (await templates.remove(present))) return undefined;
    return (await templates.usersOf(id)).length > 0 ? undefined : CONFLICT;
  });
}
