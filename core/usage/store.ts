import type { Samples, SpanLength, SpanRow, Sums } from './sums.ts';
import type { Counted, Summed } from './totals.ts';

/** The sums of endpoints. */
export interface UsageSums {
  /** Whether the deployment keeps a history. */
  readonly isKept: boolean;
  /** Returns up to when the endpoint is summed, or undefined if it never was. */
  summed(endpoint: string): Promise<Summed | undefined>;
  /** Returns the same of several endpoints, of those that were ever summed. */
  summedOf(endpoints: readonly string[]): Promise<ReadonlyMap<string, Summed>>;
  /**
   * Stores the time up to which the endpoint is summed, its totals, and that no correction is pending.
   * @returns false if a correction was requested since `before` was read; then only the totals are stored
   */
  saveSummed(
    endpoint: string,
    before: Summed | undefined,
    summed: Required<Pick<Summed, 'to' | 'counted'>>,
  ): Promise<boolean>;
  /**
   * Stores the totals alone.
   * @returns false if another sum has stored them since `before` was read
   */
  saveCounted(endpoint: string, before: Counted, counted: Counted): Promise<boolean>;
  /** Lets the next sum begin at this time at the latest. */
  repeatFrom(endpoint: string, time: number): Promise<void>;
  /** Stores the sums of a minute, and leaves its samples. */
  saveSums(endpoint: string, from: number, sums: Sums): Promise<void>;
  /** Stores the samples of a minute, and leaves its sums. */
  saveSamples(endpoint: string, from: number, samples: Samples): Promise<void>;
  saveSpan(endpoint: string, length: SpanLength, row: SpanRow): Promise<void>;
  /** Returns the spans that begin in `[from, to)`, oldest first. */
  read(endpoint: string, length: SpanLength, from: number, to: number): Promise<readonly SpanRow[]>;
}
