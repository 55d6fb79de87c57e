/** The output of workers' containers in CloudWatch Logs: a group for each endpoint, a stream for each container. */
import { CloudWatchLogsClient, paginateFilterLogEvents, ThrottlingException } from '@aws-sdk/client-cloudwatch-logs';
import type { FoundLines, LogLine, LogQuery, Logs } from '../../core/logs/store.ts';
import { LogsBusy } from '../../core/requests/errors.ts';
import { requestHandler } from '../request-handler.ts';

/** Maximum number of pages in one search. Each page covers a part of the stream and is often empty. */
const MAX_PAGES = 10;

/** Maximum number of events in one page. */
const MAX_PAGE_SIZE = 10_000;

/** Returns the name of the stream in the format of the ECS log driver: prefix, container, task. */
const streamOf = ({ source, worker }: LogQuery) => `${source}/${source}/${worker}`;

async function search(logs: CloudWatchLogsClient, query: LogQuery): Promise<FoundLines> {
  const { group, from, until, containing, enough } = query;
  if (until !== undefined && until < from) return { lines: [], complete: true };
  const pages = paginateFilterLogEvents(
    { client: logs, pageSize: Math.min(enough, MAX_PAGE_SIZE) },
    {
      logGroupName: group,
      logStreamNames: [streamOf(query)],
      startTime: from,
      endTime: until,
      filterPattern: containing === undefined ? undefined : `"${containing}"`,
    },
  );
  const lines: LogLine[] = [];
  let parts = 0;
  for await (const { events = [], nextToken } of pages) {
    lines.push(...events.map(({ timestamp = 0, message = '' }) => ({ time: timestamp, message })));
    parts += 1;
    if (nextToken === undefined) return { lines, complete: true };
    if (lines.length >= enough || parts === MAX_PAGES) return { lines, complete: false };
  }
  return { lines, complete: true };
}

export function createLogs(): Logs {
  const logs = new CloudWatchLogsClient({ requestHandler: requestHandler('logs') });
  return {
    async read(query) {
      try {
        return await search(logs, query);
      } catch (error) {
        // The stream does not exist before the container has started. The group does not exist after its endpoint is
        // removed.
        if ((error as Error).name === 'ResourceNotFoundException') return { lines: [], complete: true };
        throw error instanceof ThrottlingException ? new LogsBusy({ cause: error }) : error;
      }
    },
  };
}
