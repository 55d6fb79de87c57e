/** The position of every reader of a stream, which outlives a run and decides which records can be deleted. */
import type { StateDirectory } from '../state/state-directory.ts';

export interface Reader {
  /** Id of the reader, which is the same in every run. */
  readonly id: string;
  readonly streamArn: string;
}

export interface Checkpoints {
  /** Returns the last position that the reader has handled; undefined if it never read this stream. */
  position(reader: Reader): number | undefined;
  /**
   * Sets the last position that the reader has handled. It is stored a short time later: after a crash, a reader gets
   * its last records again, as in AWS.
   */
  pass(reader: Reader, position: number): void;
  /** Stores all positions now. */
  store(): void;
}

interface Checkpoint {
  readonly streamArn: string;
  readonly position: number;
}

const FILE = 'stream-checkpoints.json';
/** Milliseconds within which a position is stored. */
const STORED_WITHIN = 250;
/** Number of newly handled records after which all handled records are deleted. */
const TRIM_STEP = 200;

/**
 * Creates the checkpoints.
 * @param readers all readers; positions of other readers are removed
 * @param trim is called with the position that all readers of a stream have handled
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

  let storing: NodeJS.Timeout | undefined;
  function store(): void {
    clearTimeout(storing);
    storing = undefined;
    // Positions are stored before records are deleted, so that a restart never needs a deleted record.
    state.writeJson(FILE, Object.fromEntries(known));
    for (const streamArn of new Set(readers.map((reader) => reader.streamArn))) trimPassed(streamArn);
  }

  return {
    position: ({ id }) => known.get(id)?.position,
    pass({ id, streamArn }, position) {
      known.set(id, { streamArn, position });
      storing ??= setTimeout(store, STORED_WITHIN);
    },
    store() {
      if (storing) store();
    },
  };
}
