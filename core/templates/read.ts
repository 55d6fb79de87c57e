import { lastRelease, type ReleaseSummary } from '../endpoints/release-summary.ts';
import { visible } from './access.ts';
import { type ReadTemplateResponse, readResponse } from './response.ts';
import type { TemplatePorts } from './store.ts';

export interface ReadRequest {
  /** Owner of the caller. */
  readonly owner: string;
  /** Ids of the endpoints that the caller may call; `*` means all. */
  readonly permitted: readonly string[];
  readonly template: string;
}

export interface TemplateUser {
  readonly id: string;
  /** The endpoint's last release, which can be of another template; absent before the first release. */
  readonly release?: ReleaseSummary;
}

export interface TemplateInUseResponse extends ReadTemplateResponse {
  readonly endpoints: readonly TemplateUser[];
}

/**
 * Reads a template.
 *
 * Input: its id. Output: its response, and the endpoints that use the template, if the caller may call them.
 */
export async function read(
  ports: Pick<TemplatePorts, 'templates' | 'endpoints' | 'earnedPerMinute'>,
  { owner, permitted, template: id }: ReadRequest,
): Promise<TemplateInUseResponse> {
  const template = await visible(ports, owner, id);
  const users = (await ports.templates.endpointsOf(id)).filter(
    (user) => permitted.includes('*') || permitted.includes(user),
  );
  const endpoints = await Promise.all(users.map((user) => userOf(ports, user)));
  return { ...(await readResponse(ports, template, owner)), endpoints };
}

async function userOf({ endpoints }: Pick<TemplatePorts, 'endpoints'>, id: string): Promise<TemplateUser> {
  const endpoint = await endpoints.readNow(id);
  const release = endpoint && lastRelease(endpoint);
  return { id, ...(release && { release }) };
}
