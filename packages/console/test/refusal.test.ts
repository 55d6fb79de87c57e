/** Tests how the console handles a 401: the session has ended, or only one call is refused. */
import { describe, expect, it } from '@jest/globals';
import { type ApiError, errorOf } from '../api/error.ts';

/** Returns the error for the code, and how often the service was asked whether it still accepts the token. */
async function refusedWith(code: string, takesToken: boolean): Promise<{ error: ApiError; asked: number }> {
  let asked = 0;
  const response = new Response(JSON.stringify({ error: 'Refused.', code }), { status: 401 });
  const error = await errorOf(response, async () => {
    asked += 1;
    return takesToken;
  });
  return { error, asked };
}

describe('a response with status 401', () => {
  it('does not end the session if the service still accepts the token', async () => {
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
  ])('with the code %s decides without a call whether the user must sign in again: %s', async (code, needsSignIn) => {
    const { error, asked } = await refusedWith(code, true);
    expect([error.needsSignIn, asked]).toEqual([needsSignIn, 0]);
  });
});
