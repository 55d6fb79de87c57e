/** The only operation of CloudWatch Logs that the stacks use. Any other operation is refused by name. */
import * as z from 'zod/mini';
import { arn } from '../account.ts';
import { AwsFault } from '../aws-proxy/aws-fault.ts';
import type { JsonService } from '../aws-proxy/json-service.ts';
import type { LogEvent, LogGroups } from './log-groups.ts';

/** Limits of a response: events, and approximate bytes. */
const MAX_EVENTS = 10_000;
const MAX_BYTES = 1024 * 1024;

const time = z.optional(z.int().check(z.minimum(0)));
const inputSchema = z.strictObject({
  logGroupName: z.string(),
  /** One of these selects the streams. */
  logStreamNames: z.optional(z.array(z.string()).check(z.minLength(1), z.maxLength(100))),
  logStreamNamePrefix: z.optional(z.string().check(z.minLength(1))),
  startTime: time,
  endTime: time,
  /** A filter pattern: one quoted string. Other patterns are not supported here. */
  filterPattern: z.optional(z.string().check(z.regex(/^"[^"\\]+"$/))),
  limit: z._default(z.int().check(z.minimum(1), z.maximum(MAX_EVENTS)), MAX_EVENTS),
  nextToken: z.optional(z.string().check(z.regex(/^\d{1,15}$/))),
});
type Input = z.output<typeof inputSchema>;

/**
 * Parses an input.
 * @throws AwsFault
 */
function asInput(operation: string, input: unknown): Input {
  if (operation !== 'FilterLogEvents')
    throw new AwsFault(
      400,
      'UnknownOperationException',
      `CloudWatch Logs has no operation ${operation} on this machine.`,
    );
  const parsed = z.safeParse(inputSchema, input);
  if (parsed.success) {
    const { logStreamNames, logStreamNamePrefix } = parsed.data;
    if ((logStreamNames === undefined) === (logStreamNamePrefix === undefined))
      throw new AwsFault(
        400,
        'InvalidParameterException',
        `${operation} takes either logStreamNames or logStreamNamePrefix on this machine.`,
      );
    return parsed.data;
  }
  const members = parsed.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys : issue.path.slice(0, 1).map(String),
  );
  const said = `${operation} does not accept this ${members.join(', ')}.`;
  throw new AwsFault(400, 'InvalidParameterException', said);
}

/** Returns the first events that fit into a response. */
function pageOf(events: readonly LogEvent[], limit: number): readonly LogEvent[] {
  let bytes = 0;
  const over = events.findIndex(({ message }, at) => {
    bytes += Buffer.byteLength(message);
    return at === limit || (at > 0 && bytes > MAX_BYTES);
  });
  return over === -1 ? events : events.slice(0, over);
}

function filter(groups: LogGroups, input: Input) {
  const {
    logGroupName,
    logStreamNames,
    logStreamNamePrefix = '',
    startTime = 0,
    endTime = Number.POSITIVE_INFINITY,
  } = input;
  const { filterPattern = '""', limit, nextToken = '0' } = input;
  const all = groups.read(logGroupName, logStreamNames ?? groups.streamsOf(logGroupName, logStreamNamePrefix));
  if (!all)
    throw new AwsFault(400, 'ResourceNotFoundException', 'The specified log group or log stream does not exist.');
  const wanted = filterPattern.slice(1, -1);
  const events = all.filter(
    ({ timestamp, message, number }) =>
      number > Number(nextToken) && startTime <= timestamp && timestamp <= endTime && message.includes(wanted),
  );
  const page = pageOf(events, limit);
  return {
    events: page.map(({ stream, timestamp, message, number }) => ({
      logStreamName: stream,
      timestamp,
      message,
      ingestionTime: timestamp,
      eventId: String(number).padStart(56, '0'),
    })),
    searchedLogStreams: [],
    ...(page.length < events.length && { nextToken: String(page.at(-1)?.number) }),
  };
}

export const createLogsApi = (groups: LogGroups): JsonService => ({
  call: async (name, input) => filter(groups, asInput(name, input)),
  authorization: (name, input) => ({
    action: `logs:${name}`,
    resource: arn('logs', `log-group:${asInput(name, input).logGroupName}:*`),
  }),
});
