/** The reason why an AWS call returned no answer, as a sentence. It contains no data of the request. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

const REFUSED = /^(AccessDenied|AuthorizationError|UnauthorizedOperation|NotAuthorized)/;

const INVALID = /^(ExpiredToken|InvalidClientTokenId|UnrecognizedClient|SignatureDoesNotMatch|InvalidSignature)/;

/** @param what AWS action, such as `sts:GetCallerIdentity` */
function unanswered(what: string, cause: unknown): Unanswered {
  if (cause instanceof Unanswered) return cause;
  const { name = '', message = '' } = cause as Error;
  if (REFUSED.test(name)) return new Unanswered(`The credentials may not call ${what}.`, { cause });
  if (INVALID.test(name)) return new Unanswered(`AWS does not accept the credentials (${name}).`, { cause });
  if (/CredentialsProvider|TokenProvider/.test(name) || /credentials/i.test(message))
    return new Unanswered('There are no AWS credentials.', { cause });
  return new Unanswered(`${what} failed: ${name || 'no answer'}.`, { cause });
}

/**
 * Runs a call to AWS with a time limit. The limit includes the search for credentials, which may call an address
 * that never answers.
 */
export async function bounded<Answer>(what: string, milliseconds: number, ask: () => Promise<Answer>): Promise<Answer> {
  const late = Promise.withResolvers<never>();
  const sentence = `${what} did not answer within ${milliseconds / 1_000} s.`;
  const timer = setTimeout(() => late.reject(new Unanswered(sentence)), milliseconds);
  try {
    return await Promise.race([ask(), late.promise]);
  } catch (error) {
    throw unanswered(what, error);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the answer, or undefined if AWS reports that the resource does not exist. */
export async function orUndefined<Answer>(missing: string, ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask();
  } catch (error) {
    if ((error as Error).name === missing) return undefined;
    throw error;
  }
}
