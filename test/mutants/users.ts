/** Mutants of the permissions of users of the console, and of their local sign-in. */
import { type Mutant, mutant } from './mutant.ts';

const USERS = 'test/users/authorize.test.ts';
const ISSUER = 'local/test/cognito/cognito.test.ts';
const SIGN_IN = 'test/acceptance/sign-in.test.ts';
const PLATFORM = 'test/lib/deployment/platform.test.ts';
const DECLARED = 'test/lib/users/sign-in.test.ts';
const INGRESS = 'test/ingress/server.test.ts';

export const userMutants: readonly Mutant[] = [
  mutant('tokens without an expiry are valid for ever')
    .remove('aws/users/tokens.ts', '  exp: z.number(),\n')
    .killedBy(USERS, 'without an expiry'),
  mutant('a user gets a 401 while the keys of the issuer cannot be read')
    .replace('aws/users/tokens.ts', 'error instanceof FetchError ||', 'false ||')
    .killedBy(USERS, 'causes a service error while the keys of the issuer cannot be read'),
  mutant('a token is accepted beyond its expiry by a cached decision')
    .replace('lambda/authorizer/authorize.ts', ', cachedFor: DECISION_CACHE', '')
    .killedBy(SIGN_IN, 'that expires while API Gateway caches the decision'),
  mutant('operators can purge queues')
    .replace('core/operations/table.ts', '"purge-queue": "admin"', '"purge-queue": "operator"')
    .killedBy(USERS, 'operator may call purge-queue'),
  mutant('the roles of users are not checked')
    .replace('core/authorizer/authorize.ts', 'if (!allowed.includes(user.role))', 'if (allowed.length === 0)')
    .killedBy(SIGN_IN, 'can call the operations of the role'),
  mutant('operators cannot wait for their jobs')
    .replace('core/operations/table.ts', '"runsync": "operator"', '"runsync": "admin"')
    .killedBy(SIGN_IN, 'a call that waits'),
  mutant('the authorizer does not return the caller')
    .replace('lambda/authorizer/authorize.ts', "operation === 'session' ? sessionOf(caller) : undefined", 'undefined')
    .killedBy(SIGN_IN, 'receives a session|can renew the token|the claims of an admin|without users'),
  mutant('a forged token causes an internal error')
    .replace('aws/users/tokens.ts', 'throw isPassedOn(error) ? error : refusalOf(error);', 'throw error;')
    .killedBy(
      SIGN_IN,
      'its key is still unknown|a token (of another issuer|signed with a different key|without a sig|that is not valid yet|with changed)',
    ),
  mutant('a token for another purpose causes an internal error')
    .replace(
      'aws/users/tokens.ts',
      "throw new Unauthorized('The token is not an access token",
      "throw new Error('The token is not an access token",
    )
    .killedBy(SIGN_IN, 'a token (that is an ID token|of another client)'),
  mutant('the ingress refuses a token of a direct request as an unknown key')
    .replace('ingress/callers.ts', 'throw new PayloadTooLarge(', 'throw new Unauthorized(')
    .killedBy(SIGN_IN, 'directly to the ingress'),
  mutant('the first role of a user is used, not the highest')
    .replace('core/users/user.ts', 'roles.findLast(', 'roles.find(')
    .killedBy(USERS, '"viewer","admin"'),
  mutant('a user acts as two owners')
    .replace('core/users/user.ts', 'owners.length > 1', 'owners.length > 2')
    .killedBy(USERS, 'name two owners'),
  mutant('the gateway returns the same code for every refusal')
    .replace('lib/api/gateway-responses.ts', "code: '$context.authorizer.code'", "code: 'UNAUTHORIZED'")
    .killedBy(SIGN_IN, 'that has expired|without a role|in no group'),
  mutant('requests of the console count towards the limits of clients')
    .replace('core/authorizer/authorize.ts', 'bucket: consoleBucket', 'bucket: sharedBuckets.management')
    .killedBy(USERS, 'admits its user, with a bucket separate from those of'),
  mutant('handlers count requests of the console as those of clients')
    .replace('lambda/http.ts', "authorizer.caller === 'user' ? 'user' : 'key'", "'key'")
    .killedBy(SIGN_IN, 'are not used up by console users'),
  mutant('the usage plan of the console has the limits of clients')
    .replace('lib/api/rate-limits.ts', 'consoleLimitOf(limit, ', '((kept: typeof limit, _: boolean) => kept)(limit, ')
    .killedBy(PLATFORM, 'times per 10 seconds for all pages in total'),
  mutant('the ingress does not accept tokens')
    .replace('ingress/callers.ts', 'if (isOfUser(authorization))', "if (authorization === '-')")
    .killedBy(INGRESS, 'access token of a user'),
  mutant('groups are deleted with their stack')
    .remove('lib/users/users.ts', 'group.applyRemovalPolicy(RemovalPolicy.RETAIN);')
    .killedBy(DECLARED, 'is retained with its groups when its stack is deleted'),
  mutant('the local sign-in page requires no code')
    .replace('local/cognito/server.ts', 'if (!hasCode(request))', "if (group === '-')")
    .killedBy(ISSUER, 'asks any other browser'),
  mutant('the local issuer accepts any Host')
    .replace('local/network/page-refusal.ts', "OWN_HOST.test(host ?? '')", "host !== '-'")
    .killedBy(ISSUER, 'refuses the Host'),
  mutant('the local issuer compares only the beginning of the address')
    .replace(
      'local/cognito/server.ts',
      "if (!callbacks.includes(query.get('redirect_uri') ?? ''))",
      "if (!callbacks.some((each) => query.get('redirect_uri')?.startsWith(each)))",
    )
    .killedBy(ISSUER, 'never redirects to a URL with a (query|slash)'),
  mutant('codes are redeemed without their verifier')
    .replace(
      'local/cognito/grants.ts',
      "if (!equal(createHash('sha256').update(verifier).digest('base64url'), challenge)) return undefined;",
      "if (verifier === '-' || challenge === '-') return undefined;",
    )
    .killedBy(ISSUER, 'refused with (another|no) verifier'),
  mutant('codes are redeemed again')
    .replace('local/cognito/grants.ts', '      codes.delete(code);\n      if (!grant', '      if (!grant')
    .killedBy(ISSUER, 'can be redeemed only one time'),
  mutant('rotated refresh tokens remain valid')
    .replace(
      'local/cognito/grants.ts',
      'refresh.validUntil = Math.min(refresh.validUntil, now() + RetryGracePeriodSeconds * 1000);',
      'refresh.validUntil += RetryGracePeriodSeconds;',
    )
    .killedBy(ISSUER, 'is exchanged for new tokens'),
  mutant('only one refresh token of a sign-in is revoked')
    .replace(
      'local/cognito/grants.ts',
      'if (family === refresh.family) refreshes.delete(token);',
      'if (family !== refresh.family || token === refreshToken) refreshes.delete(token);',
    )
    .killedBy(ISSUER, 'is revoked together with all'),
];
