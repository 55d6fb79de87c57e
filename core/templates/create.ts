import { TemplateNameTaken } from '../requests/errors.ts';
import { assertMayName, assertReferences } from './references.ts';
import { responseOf, type TemplateResponse } from './response.ts';
import { parseCreation } from './settings.ts';
import type { TemplatePorts } from './store.ts';
import type { Template } from './template.ts';

export interface CreateRequest {
  /** Owner of the caller. */
  readonly owner: string;
  /** Scopes of the caller. */
  readonly scopes: readonly string[];
  /** Unparsed. */
  readonly body: string;
}

/**
 * Creates a template.
 *
 * Input: its settings. Output: its response.
 *  1. Refuse a malformed body, and registry logins and secrets that the caller may not use or that do not exist.
 *  2. Store the template and its name in one transaction, so that only one of several concurrent requests gets the
 *     name.
 */
export async function create(ports: TemplatePorts, { owner, scopes, body }: CreateRequest): Promise<TemplateResponse> {
  const settings = parseCreation(body);
  assertMayName(scopes, settings);
  await assertReferences(ports, settings);
  const now = ports.clock.now();
  const template: Template = {
    ...settings,
    id: ports.newTemplateId(),
    owner,
    origin: 'api',
    version: 1,
    edition: 1,
    createdAt: now,
    updatedAt: now,
  };
  const written = await ports.templates.create(template);
  if (written === 'name taken') throw new TemplateNameTaken(template.name);
  if (written === 'changed') throw new Error(`The id ${template.id} is already used by another template.`);
  return responseOf(template, { reader: owner, ran: 0, earnedPerMinute: ports.earnedPerMinute });
}
