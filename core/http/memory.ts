/**
 * Bounds the memory that a process of the ingress uses for bodies and answers of all endpoints. Functions have one call
 * at a time and need no budget.
 *
 * An endpoint may hold as many bytes as it leaves free: half of the budget if it is alone, and half of the rest for
 * each later one. So an endpoint that holds its most leaves room for others, and others can use the memory that it does
 * not.
 */
import { TooManyRequests } from '../errors.ts';
import { SECOND } from '../limits.ts';
import { bodyReading, memoryLimits } from './limits.ts';

/** The endpoint has no room for the bytes at present. */
export class MemoryFull extends TooManyRequests {
  /** The size that was requested. */
  readonly bytes: number;

  constructor(endpoint: string, bytes: number) {
    const retryAfter = memoryLimits.retry / SECOND;
    super(
      `Request bodies and outputs of endpoint \`${endpoint}\` use all the memory that it may have. Try again in ${retryAfter} s.`,
      retryAfter,
    );
    this.bytes = bytes;
  }
}

/** The memory of one body or answer. */
export interface Share {
  /**
   * Grows the share to so many bytes; a smaller number changes nothing.
   * @throws MemoryFull if there is no room, or other calls of the endpoint wait for it
   */
  grow(bytes: number): void;
  /**
   * Grows the share as soon as there is room. Calls of an endpoint get it in the order in which they asked.
   * @param patience milliseconds
   * @throws MemoryFull if there is no room in time
   */
  growInTime(bytes: number, patience: number): Promise<void>;
  /** Frees the bytes, and ends a wait for more. Further calls change nothing; the share cannot grow again. */
  release(): void;
}

export interface Memory {
  /** @param endpoint the endpoint of the call */
  open(endpoint: string): Share;
  /** Returns the least bytes a second of a transfer: more when the endpoint has little memory left. */
  rate(endpoint: string): number;
  /** Bytes in use. */
  readonly held: number;
}

interface Waiting {
  readonly endpoint: string;
  /** @returns whether the share has grown */
  tryAgain(): boolean;
}

/** @param budget bytes of all bodies and answers that the process holds at once */
export function createMemory(budget: number = memoryLimits.budget): Memory {
  let held = 0;
  const heldBy = new Map<string, number>();
  const waiting = new Set<Waiting>();

  const ownOf = (endpoint: string) => heldBy.get(endpoint) ?? 0;
  const fits = (endpoint: string, more: number) => ownOf(endpoint) + more <= budget - held - more;

  function hasWaiting(endpoint: string): boolean {
    for (const each of waiting) if (each.endpoint === endpoint) return true;
    return false;
  }

  function add(endpoint: string, bytes: number): void {
    held += bytes;
    const own = ownOf(endpoint) + bytes;
    if (own > 0) heldBy.set(endpoint, own);
    else heldBy.delete(endpoint);
  }

  /** Gives freed memory to the calls that wait, for each endpoint in their order. */
  function serveWaiting(): void {
    const full = new Set<string>();
    for (const each of waiting) if (!full.has(each.endpoint) && !each.tryAgain()) full.add(each.endpoint);
  }

  function open(endpoint: string): Share {
    let share = 0;
    let isReleased = false;
    let endWait: ((error: Error) => void) | undefined;

    function tryGrow(bytes: number): boolean {
      const more = bytes - share;
      if (more <= 0) return true;
      if (isReleased || !fits(endpoint, more)) return false;
      add(endpoint, more);
      share = bytes;
      return true;
    }

    return {
      grow(bytes) {
        const isQueued = bytes > share && hasWaiting(endpoint);
        if (isQueued || !tryGrow(bytes)) throw new MemoryFull(endpoint, bytes);
      },

      growInTime(bytes, patience) {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        const turn: Waiting = {
          endpoint,
          tryAgain() {
            if (!tryGrow(bytes)) return false;
            waiting.delete(turn);
            resolve();
            return true;
          },
        };
        const timer = setTimeout(() => reject(new MemoryFull(endpoint, bytes)), patience);
        endWait = reject;
        waiting.add(turn);
        if (isReleased) reject(new MemoryFull(endpoint, bytes));
        else serveWaiting();
        return promise.finally(() => {
          clearTimeout(timer);
          endWait = undefined;
          waiting.delete(turn);
          serveWaiting();
        });
      },

      release() {
        isReleased = true;
        endWait?.(new MemoryFull(endpoint, share));
        add(endpoint, -share);
        share = 0;
        serveWaiting();
      },
    };
  }

  return {
    open,
    rate(endpoint) {
      const own = ownOf(endpoint);
      // Tight: the endpoint holds more than half of what it may hold beside the other endpoints.
      const isTight = own > (budget - held + own) / 4;
      return isTight ? bodyReading.rateWhenTight : bodyReading.rate;
    },
    get held() {
      return held;
    },
  };
}
