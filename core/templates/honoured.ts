import { InvalidRequest } from '../errors.ts';
import { capacityRefusals, refusalSentence } from './capacity-rules.ts';
import type { Template } from './template.ts';
import type { TemplateWorld } from './world.ts';

/**
 * Whether the endpoints that follow a template can run it as it is to be. Those that pin a version run that one on.
 * @throws InvalidRequest naming those that cannot, and why
 */
export async function assertHonoured(
  { templates, endpoints }: Pick<TemplateWorld, 'templates' | 'endpoints'>,
  template: Template,
): Promise<void> {
  const users = await templates.usersOf(template.id);
  const found = await Promise.all(users.map((id) => endpoints.read(id)));
  const refusals = found.flatMap((endpoint) => {
    if (endpoint?.pinTemplate !== undefined) return [];
    const why = endpoint && refusalSentence(capacityRefusals(template, endpoint));
    return why ? [`Endpoint \`${endpoint.id}\` uses the template and cannot honour that: ${why}`] : [];
  });
  if (refusals.length > 0) throw new InvalidRequest(refusals.join(' '));
}
