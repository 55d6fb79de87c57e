/** Concurrent executions of functions, counted as Lambda counts them for an account. */
import { LocalError } from '../local-error.ts';
import { FunctionThrottled } from './call.ts';

/** The executions that AWS requires a reservation to leave to the functions without a reservation. */
export const UNRESERVED = 100;

/** Milliseconds between two messages about a pool. */
const NOTICE_PERIOD = 10_000;

export interface Concurrency {
  /**
   * Reserves executions of the common pool for one function, which is then limited to them.
   * @throws LocalError if the reservation leaves fewer than `UNRESERVED`
   */
  reserve(arn: string, executions: number): void;
  /**
   * Begins an execution of a function.
   * @returns function that ends the execution
   * @throws FunctionThrottled if all executions of its pool are in use
   */
  begin(arn: string): () => void;
}

/**
 * Creates the pools.
 * @param notify prints a message for the user when calls are throttled
 */
export function createConcurrency(total: number, notify: (text: string) => void): Concurrency {
  const createPool = (whose: string) => ({ whose, size: 0, running: 0, notifiedAt: Number.NEGATIVE_INFINITY });
  type Pool = ReturnType<typeof createPool>;
  const common: Pool = { ...createPool('the limit of the account'), size: total };
  const reserved = new Map<string, Pool>();

  function refuse(pool: Pool): never {
    const now = performance.now();
    if (now - pool.notifiedAt >= NOTICE_PERIOD) {
      pool.notifiedAt = now;
      notify(`${pool.size} executions of functions are running, ${pool.whose}: further calls are throttled.`);
    }
    throw new FunctionThrottled('Rate Exceeded.');
  }

  return {
    reserve(arn, executions) {
      const left = common.size + (reserved.get(arn)?.size ?? 0) - executions;
      if (left < UNRESERVED)
        throw new LocalError(
          `${executions} executions cannot be reserved for ${arn}: of ${total}, ${left} are left to functions without a reservation, and AWS requires ${UNRESERVED}. Raise LOCAL_CONCURRENCY.`,
        );
      common.size = left;
      reserved.set(arn, { ...createPool(`the reservation of ${arn}`), size: executions });
    },

    begin(arn) {
      const pool = reserved.get(arn) ?? common;
      if (pool.running >= pool.size) refuse(pool);
      pool.running += 1;
      return () => {
        pool.running -= 1;
      };
    },
  };
}
