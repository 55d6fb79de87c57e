import { type Client, createClient } from './client.ts';
import { isOnThisMachine, type Target, variables } from './target.ts';

/** Reasons why tests are skipped, or false: the `skip` of `node:test`. */
interface Lacks {
  readonly limitedKey: string | false;
  readonly otherKey: string | false;
  readonly receiver: string | false;
}

/** Tools of the contract's rows, which use only HTTP. */
export interface Suite extends Client {
  readonly target: Target;
  /** What the tests lack. */
  readonly lacks: Lacks;
}

export function createSuite(target: Target): Suite {
  return {
    ...createClient(target),
    target,
    lacks: {
      limitedKey: target.limitedKey === undefined && `${variables.limitedKey} is not set`,
      otherKey: target.otherKey === undefined && `${variables.otherKey} is not set`,
      receiver: !isOnThisMachine(target) && 'the deployment cannot call a receiver of webhooks on this machine',
    },
  };
}
