import * as z from 'zod/mini';
import { cursorOf as cursorOfList, positionIn as positionInList } from '../cursor.ts';
import { deployed } from '../endpoints/store.ts';
import { ending, finalize, isKept, type LastPurge } from '../jobs/ending.ts';
import type { FindPorts } from '../jobs/find.ts';
import { orderOf } from '../jobs/id.ts';
import { type Job, jobStatuses } from '../jobs/job.ts';
import { apply } from '../jobs/machine.ts';
import { summaryOf } from '../jobs/record.ts';
import type { Jobs } from '../jobs/store.ts';
import { jsonText } from '../json.ts';
import { listLimits } from '../limits.ts';
import { pageLimit, type QueryValue, validate } from '../validation.ts';

/** Query parameters are as they came. */
export interface ListRequest {
  readonly endpoint: string;
  /** One status or more, with commas between. */
  readonly status?: QueryValue;
  /** Jobs of a page at most. */
  readonly limit?: QueryValue;
  readonly cursor?: QueryValue;
}

type ListPorts = FindPorts & { readonly jobs: Jobs };

const statusMust = `must be one or more of ${jobStatuses.join(', ')}, with commas between`;
const statusSchema = z
  .string(statusMust)
  .check(
    z.refine((text) => text.split(',').every((name) => jobStatuses.some((status) => status === name)), statusMust),
  );

function parseStatuses(value: QueryValue | undefined): ReadonlySet<string> {
  return new Set<string>(value === undefined ? jobStatuses : validate(statusSchema, value, 'status').split(','));
}

/** What the job is by the clock, in memory. */
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
  /** Order of the last job that was looked at, if there are more. */
  readonly position?: string;
}

async function look(jobs: AsyncIterable<Job>, most: number, isListed: (job: Job) => boolean): Promise<Found> {
  const found: Job[] = [];
  let position = '';
  let examined = 0;
  for await (const job of jobs) {
    if (found.length === most || examined === listLimits.examined) return { jobs: found, position };
    examined += 1;
    position = orderOf(job.id);
    if (isListed(job)) found.push(job);
  }
  return { jobs: found };
}

/**
 * Lists the jobs of an endpoint, the newest first: a retry leaves a job where it is.
 *
 * Input: endpoint, statuses, limit, cursor. Output: a page as JSON text, and a cursor if there may be more.
 *  1. Refuse an unknown endpoint, and parameters that are out of bounds or from elsewhere.
 *  2. Look at the next jobs, at most so many: where few are wanted a page may have fewer than it could, even none.
 *  3. Of those that are over by the clock store the end, as for every reader, and list them if they are wanted still.
 *     For jobs that are not listed nothing is stored, because no caller sees them.
 */
export async function requests(ports: ListPorts, request: ListRequest): Promise<string> {
  const statuses = parseStatuses(request.status);
  const most = pageLimit(request.limit, listLimits.page);
  const endpoint = await deployed(ports, request.endpoint);
  const before = request.cursor === undefined ? undefined : positionIn(endpoint.id, request.cursor);

  const isWanted = (job: Job) => statuses.has(job.status) && isKept(job, ports.clock.now());
  const found = await look(ports.jobs.newest(endpoint.id, before), most, (job) =>
    isWanted(viewOf(job, endpoint, ports.clock.now())),
  );
  const finalized = await Promise.all(found.jobs.map((job) => finalize(ports, job, endpoint)));
  const listed = finalized.filter((job) => job !== undefined).filter(isWanted);
  return jsonText({
    requests: `[${listed.map((job) => summaryOf(job, ports.clock.now())).join(',')}]`,
    nextCursor: found.position && JSON.stringify(cursorOf(endpoint.id, found.position)),
  });
}

/** Cursors of the list of an endpoint's jobs. */
const POSITION = /^0[0-9a-z]{35}$/;

/**
 * A cursor says no more than the id of a job of the endpoint, and is read within the endpoint of the path alone.
 * @param position order of the last job that was looked at (`orderOf`)
 */
export const cursorOf = (endpoint: string, position: string): string => cursorOfList(endpoint, position);

/** @throws InvalidRequest if it is no cursor of this endpoint */
export const positionIn = (endpoint: string, cursor: QueryValue): string => positionInList(endpoint, cursor, POSITION);
