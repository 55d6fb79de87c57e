import type { Client } from './client.ts';
import type { Target } from './target.ts';

/** The means of the contract's rows: HTTP, and nothing else. */
export interface Suite extends Client {
  /** Available once tests run. */
  target(): Target;
}
