/** A 401 means to the console that its session has ended, or that one call is refused. */
import { describe, expect, it } from '@jest/globals';
import { type ApiError, errorOf } from '../../console/api/error.ts';

/** An error of the code, and how often the service was asked whether it still accepts the token. */
async function refusedWith(code: string, takesToken: boolean): Promise<{ error: ApiError; asked: number }> {
  let asked = 0;
  const response = new Response(JSON.stringify({ error: 'Refused.', code }), { status: 401 });
  const error = await errorOf(response, async () => {
    asked += 1;
    return takesToken;
  });
  return { error, asked };
}

describe('a call that is answered 401', () => {
  it('leaves the session as it is if the service still accepts the token', async () => {
    const { error, asked } = await refusedWith('UNAUTHORIZED', true);
    expect([error.needsSignIn, asked]).toEqual([false, 1]);
  });

  it('ends the session if the service no longer accepts the token', async () => {
    expect((await refusedWith('UNAUTHORIZED', false)).error.needsSignIn).toBe(true);
  });

  it.each([
    ['TOKEN_EXPIRED', true],
    ['NOT_PERMITTED', false],
    ['SECRETS_NOT_PERMITTED', false],
  ])('decides by the code %s alone whether to sign in again: %s', async (code, needsSignIn) => {
    const { error, asked } = await refusedWith(code, true);
    expect([error.needsSignIn, asked]).toEqual([needsSignIn, 0]);
  });
});
