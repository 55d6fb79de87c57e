/** Mutants of who may do and see what: keys, users, owners, roles and secrets. */
import { type Mutant, mutant } from './mutant.ts';

export const permissionMutants: readonly Mutant[] = [
  mutant('a key is accepted beyond its expiry by a cached decision')
    .replace('core/authorizer/authorize.ts', 'now + cachedFor >=', 'now >=')
    .killedBy('test/keys/authorize.test.ts', 'is refused before it expires if the decision'),
  mutant('caches accept a revoked key for more than a minute')
    .replace('core/limits.ts', 'KEY_CACHE = 25 * SECOND', 'KEY_CACHE = MINUTE')
    .killedBy('test/keys/authorize.test.ts', 'is refused a minute after it was revoked'),
  mutant('a key can call every endpoint')
    .replace('core/authorizer/authorize.ts', 'if (!mayCall(key, operation, endpoint))', 'if (!key)')
    .killedBy('test/keys/authorize.test.ts', 'permits only its endpoints'),
  mutant('a key for every operation can call operations for users')
    .replace(
      'core/keys/client-keys.ts',
      'if (isForUsers(operation)) return false;',
      "if (isForUsers(operation) && !key.operations.includes('*')) return false;",
    )
    .killedBy('test/keys/authorize.test.ts', 'does not permit operations for users, even if it permits'),
  mutant('a decision for one endpoint is used for other endpoints')
    .remove('lib/keys/authorizer.ts', "        IdentitySource.context('path'),\n")
    .killedBy(
      'test/lib/deployment/platform.test.ts',
      'cache each response of the authorizer for one key, method and path',
    ),
  mutant('a key of another endpoint is accepted by the direct route')
    .replace('ingress/callers.ts', '{ authorization, operation, endpoint });', '{ authorization, operation });')
    .killedBy('test/ingress/server.test.ts', 'are refused with a key of another endpoint'),
  mutant('a client can set the owner of its job in the ingress')
    .remove(
      'lib/front-door/private-link.ts',
      "          [`integration.request.header.${gatewayHeaders.owner}`]: 'context.authorizer.owner',\n",
    )
    .killedBy(
      'test/lib/front-door/private-integrations.test.ts',
      'are sent with the path of the client and values of the',
    ),
  mutant('operators can purge queues')
    .replace('core/operations/table.ts', '"purge-queue": "admin"', '"purge-queue": "operator"')
    .killedBy('test/users/authorize.test.ts', 'decide whether the role'),
  mutant('tokens without an expiry are valid for ever')
    .remove('aws/users/tokens.ts', '  exp: z.number(),\n')
    .killedBy('test/users/authorize.test.ts', 'without an expiry'),
  mutant('a private template is visible to every owner')
    .replace(
      'core/templates/access.ts',
      'template.owner === owner || template.isPublic || isOfficial(template)',
      "template.owner === owner || !isOfficial(template) || owner !== ''",
    )
    .killedBy('test/templates/operations.test.ts', 'can be changed only by its creator'),
  mutant('a secret is stored in plain text')
    .replace('core/jobs/payload.ts', 'await ports.secrets.seal(key, text)', 'text')
    .killedBy('test/jobs/s3-config.test.ts', 'is stored encrypted'),
  mutant('data keys are not bound to the job')
    .replace('aws/jobs/secrets.ts', '({ endpoint, job: id })', '({ endpoint, job: String(id.length > 0) })')
    .killedBy('test/jobs/s3-config.test.ts', 'for another job'),
  mutant('an error shows an invalid secret')
    .replace('core/submission/request.ts', 'validateSecret(omittable.s3Config', 'validate(omittable.s3Config')
    .killedBy('test/submission/request.test.ts', 'is refused with a message that contains no part of it'),
  mutant('an error repeats the value of an unknown option')
    .replace('bin/discreet-command.ts', 'if (code !== UNKNOWN_OPTION) return message;', 'return message;')
    .killedBy('test/bin/discreet-command.test.ts', 'without its value'),
  mutant('the list of keys contains their hashes')
    .replace(
      'core/management/keys.ts',
      'return { keys: (await keys.list()).map(keySummary) };',
      'return { keys: (await keys.list()).map((key) => ({ ...keySummary(key), hash: key.hash })) };',
    )
    .killedBy('test/keys/manage.test.ts', 'without secret and hash'),
  mutant('workers can decrypt the secrets of all endpoints')
    .replace(
      'lib/jobs/secrets-key.ts',
      "['Decrypt'], reason, { StringEquals: { 'kms:EncryptionContext:endpoint': endpoint } }",
      "['Decrypt'], reason, endpoint ? undefined : {}",
    )
    .killedBy('test/lib/deployment/endpoint.test.ts', 'allows decrypting secrets of jobs of its endpoint, but'),
  mutant('workers can update items of another partition')
    .replace(
      'lib/jobs/tables.ts',
      "['GetItem', 'UpdateItem'], reason, partitionsOf(endpoint)",
      "['GetItem', 'UpdateItem'], reason, [...partitionsOf(endpoint), volumePartitionOf(endpoint)]",
    )
    .killedBy('test/lib/deployment/endpoint.test.ts', 'and only in the partitions'),
  mutant('queues accept messages from every role of the account')
    .remove('lib/jobs/queue-senders.ts', "conditions: { ArnLike: { 'aws:PrincipalArn': roles } },")
    .killedBy('test/lib/deployment/endpoint.test.ts', 'accept messages only from functions that accept or'),
  mutant('the distribution trusts an address header from the client')
    .replace(
      'lib/front-door/choose-origin.js',
      '  request.headers[VIEWER_HEADER] =',
      '  request.headers[VIEWER_HEADER] = request.headers[VIEWER_HEADER] ||',
    )
    .killedBy('test/lib/front-door/distribution.test.ts', 'sets the header with the address of the client, even if'),
  mutant('a webhook can call any address that its host name resolves to')
    .replace(
      'lambda/webhooks/egress/post.ts',
      'addresses.every((address) => isCallable(address, networks))',
      'addresses.every((address) => isCallable(address, networks) || literal === undefined)',
    )
    .killedBy('test/webhooks/egress/forbidden.test.ts', 'an allowed and a forbidden address'),
];
