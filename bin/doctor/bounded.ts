/** An AWS call failed or timed out. The message is a sentence without data of the request. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';
}

const ACCESS_DENIED = /^(AccessDenied|AuthorizationError|UnauthorizedOperation|NotAuthorized)/;

const INVALID_CREDENTIALS =
  /^(ExpiredToken|InvalidClientTokenId|UnrecognizedClient|SignatureDoesNotMatch|InvalidSignature)/;

/** Names of the SDK's errors if it finds no credentials, or the session of a profile has expired. */
const NO_CREDENTIALS = /CredentialsProvider|TokenProvider/;

function callFailed(action: string, cause: unknown): CallFailed {
  if (cause instanceof CallFailed) return cause;
  const { name = '', code } = cause as NodeJS.ErrnoException;
  if (ACCESS_DENIED.test(name)) return new CallFailed(`The credentials may not call ${action}.`, { cause });
  if (INVALID_CREDENTIALS.test(name))
    return new CallFailed(`AWS does not accept the credentials (${name}).`, { cause });
  if (NO_CREDENTIALS.test(name)) {
    const message = 'The AWS credentials could not be loaded: run `aws sso login`, or set AWS_PROFILE.';
    return new CallFailed(message, { cause });
  }
  // All network errors of Node.js have the name `Error`.
  return new CallFailed(`${action} failed: ${code ?? (name || 'no answer')}.`, { cause });
}

/**
 * Runs a call to AWS with a time limit. The limit includes the search for credentials, which may call an address
 * that never answers.
 * @param action AWS action, such as `sts:GetCallerIdentity`
 * @param limit in milliseconds
 * @throws CallFailed
 */
export async function bounded<Answer>(action: string, limit: number, call: () => Promise<Answer>): Promise<Answer> {
  const timeout = Promise.withResolvers<never>();
  const message = `${action} did not answer within ${limit / 1_000} s.`;
  const timer = setTimeout(() => timeout.reject(new CallFailed(message)), limit);
  try {
    return await Promise.race([call(), timeout.promise]);
  } catch (error) {
    throw callFailed(action, error);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns the answer, or undefined if AWS reports that the resource does not exist.
 * @param notFoundError name of the error with which AWS reports this, such as `ResourceNotFoundException`
 */
export async function undefinedIfNotFound<Answer>(
  notFoundError: string,
  call: () => Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await call();
  } catch (error) {
    if ((error as Error).name === notFoundError) return undefined;
    throw error;
  }
}
