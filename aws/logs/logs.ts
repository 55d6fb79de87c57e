/** The output of workers' containers in CloudWatch Logs: a group for each endpoint, a stream for each container. */
import {
  CloudWatchLogsClient,
  type FilteredLogEvent,
  type FilterLogEventsCommandInput,
  paginateFilterLogEvents,
  ThrottlingException,
} from '@aws-sdk/client-cloudwatch-logs';
import type { EndpointLogQuery, FoundLines, LogLine, LogQuery, Logs, WorkerLine } from '../../core/logs/store.ts';
import { LogsBusy } from '../../core/requests/errors.ts';
import { requestHandler } from '../request-handler.ts';

/** Maximum number of pages in one search. Each page covers a part of the stream and is often empty. */
const MAX_PAGES = 10;

/** Maximum number of events in one page. */
const MAX_PAGE_SIZE = 10_000;

/** Returns the name of the stream in the format of the ECS log driver: prefix, container, task. */
const streamOf = ({ source, worker }: Pick<LogQuery, 'source' | 'worker'>) => `${source}/${source}/${worker}`;

/** Parameters of a search besides the times and the size of a page. */
type Selection = Pick<FilterLogEventsCommandInput, 'filterPattern' | 'logStreamNames' | 'logStreamNamePrefix'>;

async function search<Line extends LogLine>(
  logs: CloudWatchLogsClient,
  { group, from, until, enough }: Pick<LogQuery, 'group' | 'from' | 'until' | 'enough'>,
  selection: Selection,
  lineOf: (event: FilteredLogEvent) => Line,
): Promise<FoundLines<Line>> {
  if (until !== undefined && until < from) return { lines: [], complete: true };
  const pages = paginateFilterLogEvents(
    { client: logs, pageSize: Math.min(enough, MAX_PAGE_SIZE) },
    { logGroupName: group, startTime: from, endTime: until, ...selection },
  );
  const lines: Line[] = [];
  let parts = 0;
  for await (const { events = [], nextToken } of pages) {
    lines.push(...events.map(lineOf));
    parts += 1;
    if (nextToken === undefined) return { lines, complete: true };
    if (lines.length >= enough || parts === MAX_PAGES) return { lines, complete: false };
  }
  return { lines, complete: true };
}

const lineOf = ({ timestamp = 0, message = '' }: FilteredLogEvent): LogLine => ({ time: timestamp, message });

const workerLineOf = (event: FilteredLogEvent): WorkerLine => ({
  ...lineOf(event),
  worker: event.logStreamName?.split('/').at(-1) ?? '',
});

const ofWorker = (query: LogQuery): Selection => ({
  logStreamNames: [streamOf(query)],
  filterPattern: query.containing === undefined ? undefined : `"${query.containing}"`,
});

/** All streams of a container, or that of one worker: the name of a stream ends with the worker. */
const ofEndpoint = ({ source, worker = '' }: EndpointLogQuery): Selection => ({
  logStreamNamePrefix: streamOf({ source, worker }),
});

/** Runs a search. If its streams do not exist, it finds nothing. */
async function orNothing<Line extends LogLine>(found: Promise<FoundLines<Line>>): Promise<FoundLines<Line>> {
  try {
    return await found;
  } catch (error) {
    // The stream does not exist before the container has started. The group does not exist after its endpoint is
    // removed.
    if ((error as Error).name === 'ResourceNotFoundException') return { lines: [], complete: true };
    throw error instanceof ThrottlingException ? new LogsBusy({ cause: error }) : error;
  }
}

export function createLogs(): Logs {
  const logs = new CloudWatchLogsClient({ requestHandler: requestHandler('logs') });
  return {
    read: (query) => orNothing(search(logs, query, ofWorker(query), lineOf)),
    readAll: (query) => orNothing(search(logs, query, ofEndpoint(query), workerLineOf)),
  };
}
