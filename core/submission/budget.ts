/** Refuses jobs of API keys that have spent their budgets. */
import type { Endpoint } from '../endpoints/endpoint.ts';
import { isKeySpent, resetAfter, secondsToReset } from '../endpoints/spending.ts';
import { RequestError } from '../requests/errors.ts';
import { isoTime } from '../requests/time.ts';

/** The API key has spent its budget of today. Nothing was stored. */
export class BudgetSpent extends RequestError {
  override readonly name = 'BudgetSpent';
  readonly status = 429;
  readonly code = 'BUDGET_SPENT';
  override readonly retryAfter: number;

  constructor(key: string, now: number) {
    super(
      `The API key ${key} has spent its \`maxDollarsPerDay\` of today (UTC). It may submit jobs again at ${isoTime(resetAfter(now))}, or after its budget is raised.`,
    );
    this.retryAfter = secondsToReset(now);
  }
}

/**
 * Refuses a job of a key that has spent its budget of today. The sum is that of the last sweep, which the endpoint
 * contains, so a refusal costs no read.
 * @param key id of the API key; undefined for a user
 * @throws BudgetSpent
 */
export function assertWithinBudget(endpoint: Pick<Endpoint, 'spending'>, key: string | undefined, now: number): void {
  if (key !== undefined && isKeySpent(endpoint, key, now)) throw new BudgetSpent(key, now);
}
