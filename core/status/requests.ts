import * as z from 'zod/mini';
import { deployed } from '../endpoints/store.ts';
import { ending, finalize, isKept, type LastPurge } from '../jobs/ending.ts';
import type { FindPorts } from '../jobs/find.ts';
import { orderOf } from '../jobs/id.ts';
import { type Job, jobStatuses } from '../jobs/job.ts';
import { apply } from '../jobs/machine.ts';
import { summaryOf } from '../jobs/record.ts';
import type { Jobs } from '../jobs/store.ts';
import { jsonText } from '../json/json.ts';
import { listLimits } from '../limits.ts';
import { cursorOf as cursorOfList, positionIn as positionInList } from '../requests/cursor.ts';
import { pageLimit, type QueryValue, validate } from '../requests/validation.ts';
import { type PlacePorts, placeOf } from './waiting.ts';

/** A request for a list of jobs, with unparsed query parameters. */
export interface ListRequest {
  readonly endpoint: string;
  /** One or more statuses, separated by commas. */
  readonly status?: QueryValue | undefined;
  /** Maximum number of jobs per page. */
  readonly limit?: QueryValue | undefined;
  readonly cursor?: QueryValue | undefined;
}

type ListPorts = FindPorts & PlacePorts & { readonly jobs: Jobs };

const statusMust = `must be one or more of ${jobStatuses.join(', ')}, separated by commas`;
const statusSchema = z
  .string(statusMust)
  .check(
    z.refine((text) => text.split(',').every((name) => jobStatuses.some((status) => status === name)), statusMust),
  );

function parseStatuses(value: QueryValue | undefined): ReadonlySet<string> {
  return new Set<string>(value === undefined ? jobStatuses : validate(statusSchema, value, 'status').split(','));
}

/** Returns the job with its end if it is overdue or purged, without storing the end. */
function viewOf(job: Job, purge: LastPurge, now: number): Job {
  const view = ending(job, purge, now, {
    purge: (facts) => apply('purge', job, facts),
    expire: (facts) => apply('expire', job, facts),
    timeout: (facts) => apply('timeout', job, facts),
  });
  return view ?? job;
}

interface Found {
  readonly jobs: readonly Job[];
  /** Order of the last job that was read, if there are more jobs. */
  readonly position?: string;
}

async function findListed(jobs: AsyncIterable<Job>, max: number, isListed: (job: Job) => boolean): Promise<Found> {
  const found: Job[] = [];
  let position = '';
  let examined = 0;
  for await (const job of jobs) {
    if (found.length === max || examined === listLimits.examined) return { jobs: found, position };
    examined += 1;
    position = orderOf(job.id);
    if (isListed(job)) found.push(job);
  }
  return { jobs: found };
}

/**
 * Lists the jobs of an endpoint, newest first. A retry does not change a job's position.
 *
 * Input: endpoint, statuses, limit, cursor. Output: a page as JSON text, and a cursor if there might be more jobs.
 *  1. Refuse an unknown endpoint, parameters out of bounds, and a cursor of another list.
 *  2. Read the next jobs, at most `listLimits.examined`. If few of them match, a page can have fewer jobs than its
 *     limit, even none.
 *  3. Store the end of listed jobs that are overdue or purged, and omit those that no longer match. Nothing is
 *     stored for jobs that are not listed, because no caller sees them.
 *  4. Add the position and the reason of waiting jobs. All jobs of the page share one read of the leases, and jobs of
 *     the same hour and priority one count of arrivals.
 */
export async function requests(ports: ListPorts, request: ListRequest): Promise<string> {
  const statuses = parseStatuses(request.status);
  const max = pageLimit(request.limit, listLimits.page);
  const endpoint = await deployed(ports, request.endpoint);
  const before = request.cursor === undefined ? undefined : positionIn(endpoint.id, request.cursor);

  const isWanted = (job: Job) => statuses.has(job.status) && isKept(job, ports.clock.now());
  const found = await findListed(ports.jobs.newest(endpoint.id, before), max, (job) =>
    isWanted(viewOf(job, endpoint, ports.clock.now())),
  );
  // Read the endpoint again, because a purge does not wait until a long list is read.
  const present = await deployed(ports, endpoint.id);
  const finalized = await Promise.all(found.jobs.map((job) => finalize(ports, job, present)));
  const listed = finalized.filter((job) => job !== undefined).filter(isWanted);
  const summaries = await Promise.all(
    listed.map(async (job) => {
      const place = job.status === 'IN_QUEUE' ? await placeOf(ports, present, job) : {};
      return summaryOf(job, ports.clock.now(), place);
    }),
  );
  return jsonText({
    requests: `[${summaries.join(',')}]`,
    nextCursor: found.position && JSON.stringify(cursorOf(endpoint.id, found.position)),
  });
}

/** Form of a position in the list of an endpoint's jobs. */
const POSITION = /^0[0-9a-z]{35}$/;

/**
 * Returns a cursor. It contains only the id of a job, and is read only within the endpoint of the path.
 * @param position order of the last job that was read (`orderOf`)
 */
export const cursorOf = (endpoint: string, position: string): string => cursorOfList(endpoint, position);

/**
 * Returns the position in a cursor.
 * @throws InvalidRequest if the cursor does not belong to this endpoint
 */
export const positionIn = (endpoint: string, cursor: QueryValue): string => positionInList(endpoint, cursor, POSITION);
