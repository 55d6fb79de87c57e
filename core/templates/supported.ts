import { InvalidRequest } from '../errors.ts';
import { capacityRefusals, refusalSentence } from './capacity-rules.ts';
import type { TemplatePorts } from './ports.ts';
import type { Template } from './template.ts';

/**
 * Checks that every endpoint that follows the template can run its new version. Endpoints that pin a version keep
 * theirs.
 * @throws InvalidRequest naming the endpoints that cannot, and why
 */
export async function assertSupported(
  { templates, endpoints }: Pick<TemplatePorts, 'templates' | 'endpoints'>,
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
