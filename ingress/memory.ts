/**
 * Bounds the memory that a process of the ingress uses for bodies and answers of all endpoints. Functions have one
 * call at a time and need no budget.
 *
 * An endpoint can hold at most half of the bytes that no other endpoint holds: the first endpoint half of the
 * budget, the second half of the remaining bytes, and so on. An endpoint at its limit therefore leaves memory free
 * for other endpoints.
 */

import { endsWithin } from '../core/clock.ts';
import { SECOND } from '../core/limits.ts';
import { TooManyRequests } from '../core/requests/errors.ts';
import { bodyReading, memoryLimits } from './transfer-limits.ts';

/** The endpoint currently has no memory for the bytes. */
export class MemoryFull extends TooManyRequests {
  override readonly name = 'MemoryFull';
  /** Requested size of the share, or its present size if `release` ended the wait. */
  readonly bytes: number;

  constructor(endpoint: string, bytes: number) {
    const retryAfter = memoryLimits.retry / SECOND;
    super(
      `Endpoint \`${endpoint}\` has no memory left for request bodies and outputs. Try again in ${retryAfter} s.`,
      retryAfter,
    );
    this.bytes = bytes;
  }
}

/** The memory of one body or answer. */
export interface Share {
  /**
   * Grows the share to this number of bytes; a smaller number changes nothing.
   * @throws MemoryFull if there is no room, or if other calls of the endpoint wait for room
   */
  grow(bytes: number): void;
  /**
   * Grows the share as soon as there is room. Calls of an endpoint are served in the order of their requests.
   * @param patience milliseconds
   * @throws MemoryFull if there is still no room after `patience`
   */
  growInTime(bytes: number, patience: number): Promise<void>;
  /**
   * Frees the bytes and rejects a pending `growInTime`. Further calls change nothing, and the share cannot grow
   * again.
   */
  release(): void;
}

export interface Memory {
  /**
   * Opens a share of the memory for a call.
   * @param endpoint the endpoint of the call
   */
  open(endpoint: string): Share;
  /**
   * Returns the minimum bytes per second of a transfer, which is higher when the endpoint has little memory left.
   */
  rate(endpoint: string): number;
  /** Number of bytes in use. */
  readonly held: number;
}

interface Waiting {
  readonly endpoint: string;
  /**
   * Reserves the bytes that the share waits for, if there is room by now.
   * @returns whether the share has grown
   */
  tryAgain(): boolean;
}

/**
 * Creates the memory of a process.
 * @param budget maximum bytes of all bodies and answers in total
 */
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

  /** Gives freed memory to waiting calls, in their order within each endpoint. */
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
        void endsWithin(patience, promise).then((isOver) => isOver || reject(new MemoryFull(endpoint, bytes)));
        endWait = reject;
        waiting.add(turn);
        if (isReleased) reject(new MemoryFull(endpoint, bytes));
        else serveWaiting();
        return promise.finally(() => {
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
      // Memory is tight if the endpoint holds more than half of the bytes that it can hold beside the other
      // endpoints.
      const isTight = own > (budget - held + own) / 4;
      return isTight ? bodyReading.rateWhenTight : bodyReading.rate;
    },
    get held() {
      return held;
    },
  };
}
