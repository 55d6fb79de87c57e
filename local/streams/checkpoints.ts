/** How far every reader of a stream has come: what outlives a run, and what may be deleted. */
import type { StateDirectory } from '../state/state-directory.ts';

export interface Reader {
  /** The same in every run. */
  readonly id: string;
  readonly streamArn: string;
}

export interface Checkpoints {
  /** The last position that the reader is done with; undefined if it never read this stream. */
  position(reader: Reader): number | undefined;
  /** Notes that the reader is done with everything up to the position. */
  pass(reader: Reader, position: number): void;
}

interface Checkpoint {
  readonly streamArn: string;
  readonly position: number;
}

const FILE = 'stream-checkpoints.json';
/** So many records are passed before any is deleted. */
const TRIM_STEP = 200;

/**
 * @param readers all there are; what is known of others is forgotten
 * @param trim is told up to which position all readers are done with a stream
 */
export function createCheckpoints(
  state: Pick<StateDirectory, 'readJson' | 'writeJson'>,
  readers: readonly Reader[],
  trim: (streamArn: string, passed: number) => void,
): Checkpoints {
  const former = state.readJson<Record<string, Checkpoint>>(FILE) ?? {};
  const known = new Map(
    readers.flatMap(({ id, streamArn }) => {
      const checkpoint = former[id];
      return checkpoint?.streamArn === streamArn ? [[id, checkpoint] as const] : [];
    }),
  );
  const trimmed = new Map<string, number>();

  function trimPassed(streamArn: string): void {
    const ofStream = readers.filter((reader) => reader.streamArn === streamArn);
    const passed = Math.min(...ofStream.map(({ id }) => known.get(id)?.position ?? 0));
    if (passed - (trimmed.get(streamArn) ?? 0) < TRIM_STEP) return;
    trimmed.set(streamArn, passed);
    trim(streamArn, passed);
  }

  return {
    position: ({ id }) => known.get(id)?.position,
    pass({ id, streamArn }, position) {
      known.set(id, { streamArn, position });
      // First what a restart goes by, then the deletion of what it will not need.
      state.writeJson(FILE, Object.fromEntries(known));
      trimPassed(streamArn);
    },
  };
}
