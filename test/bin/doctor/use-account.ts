/** An account whose calls reach a server that answers in the formats of AWS. */
import { afterAll, beforeAll } from '@jest/globals';
import { type Account, createAccount } from '../../../bin/doctor/account.ts';
import { type Answers, startStub } from './stub.ts';

/** Ample time for an answer, also on a busy machine. */
const LIMIT = 60_000;

/**
 * Starts the server before the tests of the file.
 * @returns a function that sets the answers
 */
export function useAccount(region: string): (answers: Answers) => Account {
  const before = { ...process.env };
  let stub: Awaited<ReturnType<typeof startStub>>;
  beforeAll(async () => {
    stub = await startStub();
    Object.assign(process.env, {
      AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'the-secret-access-key',
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_ENDPOINT_URL: stub.url,
    });
  });
  afterAll(async () => {
    process.env = before;
    await stub.stop();
  });
  return (answers) => {
    stub.answer(answers);
    return createAccount(region, LIMIT);
  };
}
