import type { Client } from './client.ts';
import type { Target } from './target.ts';

/** Tools of the contract's rows, which use only HTTP. */
export interface Suite extends Client {
  /** The service, available when tests run. */
  target(): Target;
}
