/** The limits of the job contract. Tests of limits assert them and print them next to their measurements. */
import type { JobOperation } from '../../core/operations/routes.ts';

export interface ContractLimit {
  /** Requests in 10 seconds. */
  readonly per10Seconds: number;
  /**
   * Maximum number of concurrent requests.
   * @default - the contract has no limit
   */
  readonly atOnce?: number;
}

/** Limits by operation. */
export const contractLimits = {
  run: { per10Seconds: 1_000, atOnce: 200 },
  runsync: { per10Seconds: 2_000, atOnce: 400 },
  status: { per10Seconds: 2_000, atOnce: 400 },
  'status-sync': { per10Seconds: 2_000, atOnce: 400 },
  stream: { per10Seconds: 2_000, atOnce: 400 },
  openai: { per10Seconds: 2_000, atOnce: 400 },
  cancel: { per10Seconds: 100, atOnce: 20 },
  'purge-queue': { per10Seconds: 2 },
  requests: { per10Seconds: 10, atOnce: 2 },
} as const satisfies Partial<Record<JobOperation, ContractLimit>>;

export type LimitedOperation = keyof typeof contractLimits;
