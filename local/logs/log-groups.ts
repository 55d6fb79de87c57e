/** The groups of CloudWatch Logs on this machine: what containers of this run have printed lately, line by line. */

export interface LogEvent {
  readonly stream: string;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  readonly message: string;
  /** Counts the events of this run. */
  readonly number: number;
}

export interface LogGroups {
  /** @param retention milliseconds for which events can be read; without it, for ever */
  declare(name: string, retention?: number): void;
  /**
   * Opens a stream of a group.
   * @returns takes what is printed, one line at a time
   * @throws if there is no such group
   */
  open(group: string, stream: string): (message: string) => void;
  /** The events of the streams, the oldest first; nothing if the group or one of the streams is not there. */
  read(group: string, streams: readonly string[]): readonly LogEvent[] | undefined;
}

/** They are kept in memory: of a stream so many bytes, of a group so many streams. The files have everything. */
const STREAM_BYTES = 2 * 1024 * 1024;
const STREAMS = 50;

interface Group {
  readonly retention: number;
  /** The oldest first. */
  readonly streams: Map<string, Stream>;
}

interface Stream {
  /** The oldest first. */
  events: LogEvent[];
  bytes: number;
}

const sizeOf = ({ message }: LogEvent) => Buffer.byteLength(message);

/** Makes room in one go for what comes next, as an array is slow to lose its first element. */
function dropOldest(stream: Stream): void {
  let from = 0;
  while (stream.bytes > STREAM_BYTES / 2) stream.bytes -= sizeOf(stream.events[from++] as LogEvent);
  stream.events = stream.events.slice(from);
}

export function createLogGroups(now: () => number = Date.now): LogGroups {
  const groups = new Map<string, Group>();
  let count = 0;

  return {
    declare(name, retention = Number.POSITIVE_INFINITY) {
      groups.set(name, { retention, streams: groups.get(name)?.streams ?? new Map() });
    },

    open(name, streamName) {
      const group = groups.get(name);
      if (!group) throw new Error(`there is no log group ${name}`, { cause: 'ResourceInitializationError' });
      const stream = group.streams.get(streamName) ?? { events: [], bytes: 0 };
      group.streams.set(streamName, stream);
      for (const oldest of [...group.streams.keys()].slice(0, -STREAMS)) group.streams.delete(oldest);
      return (message) => {
        count += 1;
        const event = { stream: streamName, timestamp: now(), message, number: count };
        stream.events.push(event);
        stream.bytes += sizeOf(event);
        if (stream.bytes > STREAM_BYTES) dropOldest(stream);
      };
    },

    read(name, wanted) {
      const group = groups.get(name);
      const streams = wanted.map((stream) => group?.streams.get(stream));
      if (!group || streams.includes(undefined)) return undefined;
      const oldest = now() - group.retention;
      return streams
        .flatMap((stream) => stream?.events ?? [])
        .filter(({ timestamp }) => timestamp >= oldest)
        .sort((one, other) => one.number - other.number);
    },
  };
}
