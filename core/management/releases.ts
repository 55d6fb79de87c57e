import { type NamedSummary, summaryOfRecord } from '../endpoints/release-summary.ts';
import { deployed, type Endpoints } from '../endpoints/store.ts';
import { listLimits } from '../limits.ts';
import { type KeyedRelease, RELEASE_KEY, type ReleaseHistory } from '../releases/history.ts';
import { cursorOf, positionIn } from '../requests/cursor.ts';
import { pageLimit, type QueryValue } from '../requests/validation.ts';

export interface ReleasesRequest {
  readonly endpoint: string;
  /** Maximum number of releases per page, unparsed. */
  readonly limit?: QueryValue | undefined;
  readonly cursor?: QueryValue | undefined;
}

export interface ReleaseList {
  readonly releases: readonly NamedSummary[];
  readonly nextCursor?: string;
}

/**
 * Lists the releases of an endpoint with their outcomes, newest first. Past releases are listed for 90 days.
 *
 * Input: endpoint, limit, cursor. Output: a page, and a cursor if there is more.
 */
export async function releases(
  ports: { readonly endpoints: Endpoints; readonly history: Pick<ReleaseHistory, 'list'> },
  request: ReleasesRequest,
): Promise<ReleaseList> {
  const max = pageLimit(request.limit, listLimits.page);
  const { id } = await deployed(ports, request.endpoint);
  const list = `${id}/releases`;
  const before = request.cursor === undefined ? undefined : positionIn(list, request.cursor, RELEASE_KEY);
  const found: KeyedRelease[] = [];
  for await (const release of ports.history.list(id, before)) {
    found.push(release);
    if (found.length > max) break;
  }
  const page = found.slice(0, max);
  const last = page.at(-1);
  return {
    releases: page.map(({ record }) => summaryOfRecord(record)),
    ...(found.length > max && last && { nextCursor: cursorOf(list, last.key) }),
  };
}
