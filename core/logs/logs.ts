import type { Endpoint } from '../endpoints/endpoint.ts';
import { deployed } from '../endpoints/store.ts';
import { type FindPorts, find } from '../jobs/find.ts';
import type { Job, JobKey } from '../jobs/job.ts';
import { jsonText } from '../json/json.ts';
import { LET_GO_WITHIN, logLimits } from '../limits.ts';
import { pageLimit, type QueryValue } from '../requests/validation.ts';
import { jobsPerWorker } from '../workers/concurrency.ts';
import { holdsIn, type JobLine, linesOfJob, lineText, type Tenure, tenureOf, writtenLines } from './lines.ts';
import { fitting, logCursorOf, logPositionIn, positionAfter } from './pages.ts';
import type { Logs } from './store.ts';

/** A request for the lines of a job, with unparsed query parameters. */
export interface LogsRequest extends JobKey {
  /** Maximum number of lines per page. */
  readonly limit?: QueryValue | undefined;
  readonly cursor?: QueryValue | undefined;
}

/** Name of the lines of a job, in cursors and their errors. */
const listOf = ({ endpoint, id }: JobKey) => `job ${id} of ${endpoint}`;

type LogsPorts = FindPorts & { readonly logs: Logs };

/** An attempt that has started: its worker, its start, and its end if it has ended. */
interface Run {
  readonly group: string;
  readonly worker: string;
  readonly startedAt: number;
  readonly finishedAt?: number | undefined;
  /**
   * Whether the worker can run several jobs at the same time, so that a line without an id can belong to any of
   * them.
   */
  readonly isShared: boolean;
}

function runOf(job: Job, endpoint: Endpoint): Run | undefined {
  const { logGroup } = endpoint;
  if (!('worker' in job) || job.worker === undefined) return undefined;
  const { worker, startedAt = 0 } = job;
  const finishedAt = 'finishedAt' in job ? job.finishedAt : undefined;
  return { group: logGroup, worker, startedAt, finishedAt, isShared: jobsPerWorker(endpoint) > 1 };
}

interface AgentLines {
  readonly lines: readonly JobLine[];
  readonly tenure: Tenure;
}

/** Reads the agent's lines about the job, and when the worker held no other job. */
async function readAgent(logs: Logs, id: string, run: Run, readAt: number): Promise<AgentLines> {
  const { group, worker, startedAt, finishedAt, isShared } = run;
  const found = await logs.read({
    group,
    worker,
    source: 'agent',
    from: startedAt,
    until: finishedAt === undefined ? undefined : finishedAt + LET_GO_WITHIN,
    containing: isShared ? id : 'jobId',
    enough: logLimits.page.max,
  });
  const written = writtenLines(found.lines);
  const lines = linesOfJob(id, 'agent', written);
  // If the search was incomplete, later lines of the agent have not been read.
  const known = found.complete ? (finishedAt ?? readAt) : (written.at(-1)?.time ?? startedAt);
  return { lines, tenure: tenureOf(id, holdsIn(written), known) };
}

function readWorker(
  logs: Logs,
  id: string,
  run: Run,
  { endedAt }: Tenure,
  from: number,
  enough: number,
  readAt: number,
) {
  const { group, worker, finishedAt, isShared } = run;
  const query = { group, worker, source: 'worker', from, enough } as const;
  if (!isShared) return logs.read({ ...query, until: endedAt ?? finishedAt ?? readAt });
  const until = finishedAt === undefined ? undefined : finishedAt + LET_GO_WITHIN;
  return logs.read({ ...query, until, containing: id });
}

/**
 * Lists the lines of the worker and its agent for the current attempt of a job, oldest first.
 *
 * Input: endpoint, job id, limit, cursor. Output: a page as JSON text, and a cursor if there might be more lines.
 *  1. Refuse every request that `status` refuses, a limit out of bounds, and a cursor of another list.
 *  2. A job that waits, or never ran, has no lines.
 *  3. If workers of the endpoint run one job at a time, return all lines that the worker printed while it held only
 *     this job. Otherwise, return the lines with the job id.
 *  4. While the job runs, the last page also has a cursor.
 */
export async function logs(ports: LogsPorts, { limit, cursor, ...key }: LogsRequest): Promise<string> {
  const max = pageLimit(limit, logLimits.page);
  const wanted = cursor === undefined ? undefined : logPositionIn(listOf(key), cursor);
  const readAt = ports.clock.now();
  const { job } = await find(ports, key);
  const run = runOf(job, await deployed(ports, key.endpoint));
  const head = { id: JSON.stringify(job.id), status: JSON.stringify(job.status), attempts: String(job.attempt) };
  if (!run) return jsonText({ ...head, lines: '[]' });

  // A cursor of an earlier attempt does not apply to the current attempt.
  const position = wanted && wanted.time >= run.startedAt ? wanted : { time: run.startedAt, skip: 0 };
  const agent = await readAgent(ports.logs, job.id, run, readAt);
  const enough = position.skip + max + 1;
  const printed = await readWorker(ports.logs, job.id, run, agent.tenure, position.time, enough, readAt);
  const horizon = printed.complete ? Number.POSITIVE_INFINITY : (printed.lines.at(-1)?.time ?? position.time);
  const lines = [...agent.lines, ...linesOfJob(job.id, 'worker', printed.lines, agent.tenure.alone)]
    .filter(({ time }) => position.time <= time && time <= horizon)
    .sort((one, other) => one.time - other.time);

  const given = fitting(lines.slice(position.skip), max, lineText);
  const isLast = printed.complete && position.skip + given.length >= lines.length && run.finishedAt !== undefined;
  const next = isLast ? undefined : logCursorOf(listOf(key), positionAfter(position, lines, given.length, printed));
  return jsonText({
    ...head,
    workerId: JSON.stringify(run.worker),
    lines: `[${given.join(',')}]`,
    nextCursor: next && JSON.stringify(next),
  });
}
