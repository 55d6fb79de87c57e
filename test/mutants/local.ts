/** Mutants of the emulators and of streamed responses. */
import { type Mutant, mutant } from './mutant.ts';

const HTTP_STREAM = 'test/lambda/http-stream.test.ts';
const STREAMING = 'local/test/functions/streaming.test.ts';
const EVENT_SOURCE = 'local/test/streams/event-source.test.ts';
const FRONT = 'local/test/aws-proxy/proxy.test.ts';
const ADDRESS = 'local/test/network/address.test.ts';

export const localMutants: readonly Mutant[] = [
  mutant('100 Continue is sent within a response')
    .replace('local/network/address.ts', 'if (outgoing.socket) handle();', 'if (outgoing.req) handle();')
    .killedBy(ADDRESS, 'sends it before each response'),
  mutant('headers of a response wait for its body')
    .replace('core/http/body.ts', 'endsWithin(HEADERS_AFTER, answer)', 'endsWithin(60_000, answer)')
    .killedBy(HTTP_STREAM, 'begins with its headers after 20 seconds'),
  mutant('a late error ends a response without a message')
    .replace('core/http/body.ts', 'answer.catch(lateError)', 'answer')
    .killedBy(HTTP_STREAM, 'ends with the JSON of its error'),
  mutant('a function does not wait for a slow reader')
    .remove(
      'local/functions/response-stream.ts',
      'while (this.#wanted === 0 && !this.#discarded) await this.#demand();',
    )
    .killedBy(STREAMING, 'waits for a slow reader'),
  mutant('a batch without a matching record goes to its target')
    .replace(
      'local/streams/event-source.ts',
      'if (batch.records.length > 0) await deliver',
      'if (batch.records.length >= 0) await deliver',
    )
    .killedBy(EVENT_SOURCE, 'is not delivered if it has no record'),
  mutant('the partition key of a query is not resolved')
    .replace('local/aws-proxy/dynamodb.ts', 'ExpressionAttributeNames[name] ?? name', 'name')
    .killedBy(FRONT, 'leading keys'),
  mutant('a secret is read without its permission')
    .remove('local/ecs/task-secrets.ts', "authorize(roleArn, secrets.authorization('GetSecretValue', input));")
    .killedBy('local/test/ecs/task-secrets.test.ts', 'its role is not allowed to read it'),
  mutant('an error shows the value of a secret')
    .replace(
      'local/ecs/task-secrets.ts',
      'does not contain a username and a password`',
      'does not contain a username and a password: ${value}`',
    )
    .killedBy('local/test/ecs/task-secrets.test.ts', 'for a registry must contain a username'),
  mutant('a deleted secret is found')
    .replace('aws/templates/vault.ts', 'return DeletedDate ? undefined : ARN;', 'return ARN;')
    .killedBy('test/aws/vault.test.ts', 'hides a removed value for 7 days'),
];
