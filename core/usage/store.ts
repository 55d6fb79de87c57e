import type { Samples, SpanLength, SpanRow, Sums } from './sums.ts';

/** The sums of endpoints. */
export interface UsageSums {
  /** Whether the deployment keeps a history. */
  readonly isKept: boolean;
  /** Returns the time up to which the endpoint is summed, or undefined if it never was. */
  summedTo(endpoint: string): Promise<number | undefined>;
  saveSummedTo(endpoint: string, time: number): Promise<void>;
  /** Stores the sums of a minute, and leaves its samples. */
  saveSums(endpoint: string, from: number, sums: Sums): Promise<void>;
  /** Stores the samples of a minute, and leaves its sums. */
  saveSamples(endpoint: string, from: number, samples: Samples): Promise<void>;
  saveSpan(endpoint: string, length: SpanLength, row: SpanRow): Promise<void>;
  /** Returns the spans that begin in `[from, to)`, oldest first. */
  read(endpoint: string, length: SpanLength, from: number, to: number): Promise<readonly SpanRow[]>;
}
