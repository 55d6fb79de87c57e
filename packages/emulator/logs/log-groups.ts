/** The groups of CloudWatch Logs on this machine: the latest lines of this run's containers. */

export interface LogEvent {
  readonly stream: string;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  readonly message: string;
  /** Number of the event in this run. */
  readonly number: number;
}

export interface LogGroups {
  /**
   * Creates a group.
   * @param retention milliseconds for which events can be read; without it, they never expire
   */
  declare(name: string, retention?: number): void;
  /**
   * Opens a stream of a group.
   * @returns function that adds a line
   * @throws if the group does not exist
   */
  open(group: string, stream: string): (message: string) => void;
  /** Returns the names of the group's streams that begin with the prefix. */
  streamsOf(group: string, prefix: string): readonly string[];
  /**
   * Returns the events of the streams, the oldest first; undefined if the group or one of the streams does not
   * exist.
   */
  read(group: string, streams: readonly string[]): readonly LogEvent[] | undefined;
}

/** Memory limits: bytes of a stream, and streams of a group. The log files are complete. */
const STREAM_BYTES = 2 * 1024 * 1024;
const STREAMS = 50;

interface Group {
  readonly retention: number;
  /** Streams by name, the oldest first. */
  readonly streams: Map<string, Stream>;
}

interface Stream {
  /** Events, the oldest first. */
  events: LogEvent[];
  bytes: number;
  /** Number of lines that were removed. */
  dropped: number;
}

const sizeOf = ({ message }: LogEvent) => Buffer.byteLength(message);

/** Removes several of the oldest events in one step, because removing the first element of an array is slow. */
function dropOldest(stream: Stream, max: number): void {
  let from = 0;
  while (stream.bytes > max / 2) stream.bytes -= sizeOf(stream.events[from++] as LogEvent);
  stream.events = stream.events.slice(from);
  stream.dropped += from;
}

/** Returns the events after a line that says how many earlier ones only the log file has. */
function eventsOf({ events, dropped }: Stream): readonly LogEvent[] {
  const [first] = events;
  if (!first || dropped === 0) return events;
  return [{ ...first, message: `${dropped} earlier lines are only in the log file on this machine.` }, ...events];
}

/**
 * Creates no groups yet.
 * @param max maximum bytes of a stream
 * @param print receives each line of all streams
 */
export function createLogGroups(
  now: () => number = Date.now,
  max = STREAM_BYTES,
  print: (line: string) => void = () => undefined,
): LogGroups {
  const groups = new Map<string, Group>();
  let count = 0;

  return {
    declare(name, retention = Number.POSITIVE_INFINITY) {
      groups.set(name, { retention, streams: groups.get(name)?.streams ?? new Map() });
    },

    open(name, streamName) {
      const group = groups.get(name);
      if (!group) throw new Error(`the log group ${name} does not exist`, { cause: 'ResourceInitializationError' });
      const stream = group.streams.get(streamName) ?? { events: [], bytes: 0, dropped: 0 };
      group.streams.set(streamName, stream);
      for (const oldest of [...group.streams.keys()].slice(0, -STREAMS)) group.streams.delete(oldest);
      return (message) => {
        count += 1;
        const event = { stream: streamName, timestamp: now(), message, number: count };
        stream.events.push(event);
        stream.bytes += sizeOf(event);
        if (stream.bytes > max) dropOldest(stream, max);
        print(message);
      };
    },

    streamsOf: (name, prefix) =>
      [...(groups.get(name)?.streams.keys() ?? [])].filter((stream) => stream.startsWith(prefix)),

    read(name, wanted) {
      const group = groups.get(name);
      const streams = wanted.map((stream) => group?.streams.get(stream));
      if (!group || streams.includes(undefined)) return undefined;
      const oldest = now() - group.retention;
      return streams
        .flatMap((stream) => (stream ? eventsOf(stream) : []))
        .filter(({ timestamp }) => timestamp >= oldest)
        .sort((one, other) => one.number - other.number);
    },
  };
}
