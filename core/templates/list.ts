import * as z from 'zod/mini';
import { CATEGORIES, TEMPLATE_ID } from '../endpoints/endpoint.ts';
import { cursorOf, positionIn } from '../requests/cursor.ts';
import { pageLimit, parseFlag, type QueryValue, validate } from '../requests/validation.ts';
import { isVisible } from './access.ts';
import { templateListLimits } from './limits.ts';
import { type ReadTemplateResponse, responsesOf } from './response.ts';
import type { TemplatePorts } from './store.ts';
import type { Template } from './template.ts';

/** A request for a list of templates, with unparsed query parameters. */
export interface ListRequest {
  /** Owner of the caller. */
  readonly owner: string;
  readonly category?: QueryValue | undefined;
  readonly isPublic?: QueryValue | undefined;
  readonly isServerless?: QueryValue | undefined;
  /** Maximum number of templates per page. */
  readonly limit?: QueryValue | undefined;
  readonly cursor?: QueryValue | undefined;
}

export interface TemplateList {
  readonly templates: readonly ReadTemplateResponse[];
  readonly nextCursor?: string;
}

const LIST = 'templates';
const categorySchema = z.optional(z.enum(CATEGORIES, `must be one of ${CATEGORIES.join(', ')}`));

/**
 * Returns a predicate for the filters of the request.
 * @throws InvalidRequest with the parameter and its allowed values
 */
function filterOf(request: ListRequest): (template: Template) => boolean {
  const category = validate(categorySchema, request.category, 'category');
  const isPublic = parseFlag(request.isPublic, 'isPublic');
  const isServerless = parseFlag(request.isServerless, 'isServerless');
  return (template) =>
    (category === undefined || template.category === category) &&
    (isPublic === undefined || template.isPublic === isPublic) &&
    (isServerless === undefined || template.isServerless === isServerless);
}

/** Returns the templates of the next page, and whether more follow. */
async function page(templates: AsyncIterable<Template>, max: number, isListed: (template: Template) => boolean) {
  const found: Template[] = [];
  let bytes = 0;
  for await (const template of templates) {
    if (!isListed(template)) continue;
    // The response of a function is JSON whose `body` is a string, so it escapes the text of a template again.
    bytes += Buffer.byteLength(JSON.stringify(JSON.stringify(template)));
    if (found.length === max || (found.length > 0 && bytes > templateListLimits.bytes)) return { found, more: true };
    found.push(template);
  }
  return { found, more: false };
}

/**
 * Lists the templates that the caller's owner can see, sorted by id.
 *
 * Input: filters, limit, cursor. Output: a page of templates, and a cursor if there are more.
 */
export async function list(
  ports: Pick<TemplatePorts, 'templates' | 'earnedPerMinute'>,
  request: ListRequest,
): Promise<TemplateList> {
  const max = pageLimit(request.limit, templateListLimits.page);
  const isWanted = filterOf(request);
  const after = request.cursor === undefined ? undefined : positionIn(LIST, request.cursor, TEMPLATE_ID);
  const listed = await page(ports.templates.list(after), max, (template) => {
    return isVisible(template, request.owner) && isWanted(template);
  });
  const templates = await responsesOf(ports, listed.found, request.owner);
  const last = listed.found.at(-1);
  return { templates, ...(listed.more && last && { nextCursor: cursorOf(LIST, last.id) }) };
}
