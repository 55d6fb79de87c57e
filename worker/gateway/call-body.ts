/**
 * Reads the body of a call about a job. A call that is too large is not kept, but its small members are: they show
 * whether it ends the job.
 */
import { setImmediate } from 'node:timers/promises';
import { payloadLimits } from '../../core/limits.ts';

/** Maximum bytes of a call. Half of the maximum output is room for metrics, an error and white space. */
export const MAX_CALL = 1.5 * payloadLimits.output;

/** What is known of a call with more than `MAX_CALL` bytes. */
export interface LargeCall {
  /** JSON object of the members of a report with at most `payloadLimits.field` bytes. Not validated. */
  readonly small: Buffer;
  /** Number of bytes of an `output` that is larger. */
  readonly outputSize: number | undefined;
}

export interface CallBody {
  readonly size: number;
  /** All bytes, or what is known of a larger call. */
  readonly content: Buffer | LargeCall;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const ARRAY_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

const MEMBER = /^\s*"(output|error|status|stopPod)"\s*:\s*/;

interface MemberScan {
  add(piece: Buffer): void;
  result(): LargeCall;
}

/** Finds the members of a report, a JSON object that arrives in pieces. */
function createMemberScan(): MemberScan {
  /** The last small member with each name. */
  const small = new Map<string, Buffer>();
  let outputSize: number | undefined;
  let depth = 0;
  let isString = false;
  let isEscaped = false;
  /** The first bytes of the current member, and the number of all its bytes. */
  let head: Buffer[] = [];
  let size = 0;

  function grow(part: Buffer): void {
    if (size <= payloadLimits.field) head.push(Buffer.from(part.subarray(0, payloadLimits.field)));
    size += part.length;
  }

  function endMember(part: Buffer): void {
    // A member in one piece is not copied: millions of copies would be garbage sooner than it is collected.
    const isWhole = size === 0;
    if (isWhole) size = part.length;
    else grow(part);
    const bytes = isWhole ? part.subarray(0, payloadLimits.field) : Buffer.concat(head);
    const found = MEMBER.exec(bytes.toString('latin1'));
    const name = found?.[1];
    if (name !== undefined && size <= payloadLimits.field) small.set(name, bytes);
    else if (found && name === 'output') outputSize = size - found[0].length;
    head = [];
    size = 0;
  }

  return {
    add(piece) {
      let from = 0;
      for (let at = 0; at < piece.length; at += 1) {
        const byte = piece[at];
        if (isString) {
          if (isEscaped) isEscaped = false;
          else if (byte === BACKSLASH) isEscaped = true;
          else if (byte === QUOTE) isString = false;
        } else if (byte === QUOTE) isString = true;
        else if (byte === OBJECT || byte === ARRAY) {
          depth += 1;
          if (depth === 1) from = at + 1;
        } else if (byte === OBJECT_END || byte === ARRAY_END) {
          depth -= 1;
          if (depth === 0) endMember(piece.subarray(from, at));
        } else if (byte === COMMA && depth === 1) {
          endMember(piece.subarray(from, at));
          from = at + 1;
        }
      }
      if (depth > 0) grow(piece.subarray(from));
    },

    result: () => ({ small: Buffer.from(`{${[...small.values()].join(',')}}`), outputSize }),
  };
}

export async function readCall(request: AsyncIterable<Buffer>): Promise<CallBody> {
  const kept: Buffer[] = [];
  let size = 0;
  let scan: MemberScan | undefined;
  for await (const piece of request) {
    size += piece.length;
    if (scan) scan.add(piece);
    else kept.push(piece);
    if (scan || size <= MAX_CALL) continue;
    scan = createMemberScan();
    for (const earlier of kept.splice(0)) {
      scan.add(earlier);
      // The agent serves other calls, and renews its lease, between the pieces.
      await setImmediate();
    }
  }
  return { size, content: scan ? scan.result() : Buffer.concat(kept) };
}
