import type { Client } from './client.ts';
import type { Target } from './target.ts';

/** What the rows of the contract are asked with: HTTP, and nothing else. */
export interface Suite extends Client {
  /** Once tests run. */
  target(): Target;
}
