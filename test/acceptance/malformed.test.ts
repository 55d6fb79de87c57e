/** Tables of malformed requests over HTTP: the part of the contract that `contract.test.ts` leaves to a second service. */
import { afterAll, beforeAll, jest } from '@jest/globals';
import { corpora } from '../contract/corpora/suite.ts';
import { findTarget, type Target } from '../contract/target.ts';

// Where workers are machines, the first of them takes its time.
jest.setTimeout(180_000);

let found: Target | undefined;

function target(): Target {
  if (!found) throw new Error('There is no service before the tests run.');
  return found;
}

beforeAll(async () => {
  found = await findTarget();
});
afterAll(() => found?.end());

corpora({ target });
