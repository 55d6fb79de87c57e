import * as z from 'zod/mini';
import type { Clock } from '../clock.ts';
import { deployed, type Endpoints } from '../endpoints/store.ts';
import { jsonText } from '../json/json.ts';
import { logLimits, MINUTE, SECOND } from '../limits.ts';
import { timeFrom, timeSchema } from '../requests/time.ts';
import { pageLimit, type QueryValue, validate } from '../requests/validation.ts';
import { fitting, lineMembers, logCursorOf, logPositionIn, positionAfter } from './pages.ts';
import type { Logs, WorkerLine } from './store.ts';

/**
 * Lines of all workers of an endpoint: where a list begins without a time, and the age at which lines are listed. The
 * log driver sends lines every few seconds, so younger lines of several workers are not in order yet.
 */
export const endpointLogLimits = { since: 15 * MINUTE, settle: 5 * SECOND } as const;

/** The containers whose lines can be read. */
export const logSources = ['worker', 'agent'] as const;

/** A request for the lines of an endpoint's workers, with unparsed query parameters. */
export interface EndpointLogsRequest {
  readonly endpoint: string;
  /** Id of the worker whose lines are read. */
  readonly worker?: QueryValue | undefined;
  readonly source?: QueryValue | undefined;
  /** Time of the first line. */
  readonly since?: QueryValue | undefined;
  /** Maximum number of lines per page. */
  readonly limit?: QueryValue | undefined;
  readonly cursor?: QueryValue | undefined;
}

type EndpointLogsPorts = {
  readonly clock: Clock;
  readonly endpoints: Endpoints;
  readonly logs: Logs;
};

/** Form of the id of an ECS task, which is the id of a worker. */
export const WORKER_ID = /^[0-9a-f]{32}$/;

const workerMust = 'must be the id of a worker, 32 characters of 0-9 and a-f';
const workerSchema = z.string(workerMust).check(z.regex(WORKER_ID, workerMust));
const sourceSchema = z.enum(logSources, `must be ${logSources.join(' or ')}`);

const lineText = (source: string, line: WorkerLine) =>
  JSON.stringify({ ...lineMembers(line), source, worker: line.worker });

/**
 * Lists the lines of all workers of an endpoint, or of one worker, oldest first: also of workers that exited before they
 * took a job.
 *
 * Input: endpoint, worker, source, since, limit, cursor. Output: a page as JSON text, always with a cursor, because more
 * lines can follow.
 *  1. Refuse an unknown endpoint, parameters out of bounds, and a cursor of another list.
 *  2. Without `since` and cursor, begin `endpointLogLimits.since` ago.
 *  3. Omit the lines of the last `endpointLogLimits.settle`, because lines of several workers arrive in any order.
 */
export async function endpointLogs(ports: EndpointLogsPorts, request: EndpointLogsRequest): Promise<string> {
  const max = pageLimit(request.limit, logLimits.page);
  const worker = request.worker === undefined ? undefined : validate(workerSchema, request.worker, 'worker');
  const source = request.source === undefined ? 'worker' : validate(sourceSchema, request.source, 'source');
  const since = request.since === undefined ? undefined : timeFrom(validate(timeSchema, request.since, 'since'));
  const { id, logGroup } = await deployed(ports, request.endpoint);
  const list = `${source} lines of ${worker ?? 'all workers'} of ${id}`;
  const now = ports.clock.now();
  const position =
    request.cursor === undefined
      ? { time: since ?? now - endpointLogLimits.since, skip: 0 }
      : logPositionIn(list, request.cursor);
  const until = now - endpointLogLimits.settle;
  const enough = position.skip + max + 1;
  const found =
    position.time > until
      ? { lines: [], complete: false }
      : await ports.logs.readAll({ group: logGroup, source, worker, from: position.time, until, enough });
  const given = fitting(found.lines.slice(position.skip), max, (line) => lineText(source, line));
  const isAll = found.complete && position.skip + given.length >= found.lines.length;
  // All lines until this time are read, so that a search does not begin with them again.
  const next = isAll ? { time: until + 1, skip: 0 } : positionAfter(position, found.lines, given.length, found);
  return jsonText({ lines: `[${given.join(',')}]`, nextCursor: JSON.stringify(logCursorOf(list, next)) });
}
