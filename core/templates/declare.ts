/** Official templates: what a file in `templates/` says is what the template is. */
import { edited } from './edited.ts';
import { TemplateRefused } from './refusal.ts';
import type { Template, TemplateSettings } from './template.ts';
import type { TemplateWorld } from './world.ts';

/** Who owns what this deployment itself declares. */
export const PLATFORM = 'platform';

export type DeclaredWorld = Pick<TemplateWorld, 'templates' | 'clock'>;

/** Nobody else writes official templates but a deployment that comes at the same time. */
const TRIES = 3;

async function write({ templates, clock }: DeclaredWorld, id: string, settings: TemplateSettings) {
  const now = clock.now();
  const present = await templates.read(id);
  if (present && present.origin !== 'git')
    throw new TemplateRefused(`There is a template \`${id}\` that no file declares: give the file another name.`);
  const started = { version: 1, edition: 1, createdAt: now, updatedAt: now };
  if (!present) return templates.create({ ...settings, id, owner: PLATFORM, origin: 'git', ...started });
  const absent = { containerRegistryAuthId: undefined } satisfies Partial<Template>;
  const next = edited(present, { ...absent, ...settings }, now);
  return next === present ? 'written' : templates.replace(present, next);
}

/**
 * Makes the official template what its file says. To do it twice changes nothing.
 *
 * Input: id, which is the file's name, and settings. Those who use it are released as after any change of a template.
 * @throws TemplateRefused if another template has the name or the id
 */
export async function declare(world: DeclaredWorld, id: string, settings: TemplateSettings): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const written = await write(world, id, settings);
    if (written === 'written') return;
    if (written === 'name taken')
      throw new TemplateRefused(`Another template is called ${JSON.stringify(settings.name)}: names are unique.`);
  }
  throw new Error(`Others changed the template ${id} first, ${TRIES} times.`);
}

/**
 * Deletes an official template whose file is gone; what is not there, or is no official one, is left as it is.
 * @throws TemplateRefused if endpoints use it
 */
export async function undeclare({ templates }: Pick<DeclaredWorld, 'templates'>, id: string): Promise<void> {
  const present = await templates.read(id);
  if (present?.origin !== 'git' || (await templates.remove(present))) return;
  const users = await templates.usersOf(id);
  throw new TemplateRefused(
    `The template \`${id}\` is used by ${users.join(', ')}: have them name another one, deploy, and then delete it.`,
  );
}
