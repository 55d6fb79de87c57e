/** Breaks that the tests of the local cloud and of streamed responses must notice. */
import type { Mutant } from './mutant.ts';

const HTTP_STREAM = 'test/lambda/http-stream.test.ts';
const STREAMING = 'local/test/functions/streaming.test.ts';
const IAM = 'local/test/iam/iam.test.ts';
const FRONT = 'local/test/aws-proxy/proxy.test.ts';
const FRONT_CALLS = 'local/test/aws-proxy/calls.test.ts';

export const localMutants: readonly Mutant[] = [
  {
    name: 'headers wait for the text',
    file: 'core/http/body.ts',
    replace: 'endsWithin(HEADERS_AFTER, answer)',
    by: 'endsWithin(60_000, answer)',
    test: HTTP_STREAM,
    named: 'sends its headers after 20 seconds',
  },
  {
    name: 'a late error ends a response without a word',
    file: 'core/http/body.ts',
    replace: 'answer.catch(lateError)',
    by: 'answer',
    test: HTTP_STREAM,
    named: 'ends with the JSON of its error',
  },
  {
    name: 'a function does not wait for a slow reader',
    file: 'local/functions/response-stream.ts',
    replace: 'while (this.#wanted === 0 && !this.#discarded) await this.#demand();',
    by: '',
    test: STREAMING,
    named: 'waits for a slow reader',
  },
  {
    name: 'a denial of an identity policy does not win',
    file: 'local/iam/evaluate.ts',
    replace: 'if (ofCaller.some(denies))',
    by: 'if (ofCaller.every(denies))',
    test: IAM,
    named: 'explicit deny wins',
  },
  {
    name: 'the leading key of a query is not known',
    file: 'local/aws-proxy/dynamodb.ts',
    replace: 'ExpressionAttributeNames[name] ?? name',
    by: 'name',
    test: FRONT,
    named: 'leading keys',
  },
  {
    name: 'a poll of nobody goes on',
    file: 'local/aws-proxy/forward.ts',
    replace: 'if (!outgoing.writableFinished) upstream.destroy();',
    by: '',
    test: FRONT_CALLS,
    named: 'takes no message',
  },
  {
    name: 'a secret is read whoever may',
    file: 'local/ecs/task-secrets.ts',
    replace: "authorize(roleArn, secrets.authorization('GetSecretValue', input));",
    by: '',
    test: 'local/test/ecs/task-secrets.test.ts',
    named: 'not read by a role that may not',
  },
  {
    name: 'what is in a secret is told',
    file: 'local/ecs/task-secrets.ts',
    replace: 'does not hold a username and a password`',
    by: 'does not hold a username and a password: ${value}`',
    test: 'local/test/ecs/task-secrets.test.ts',
    named: 'hold the login of a registry',
  },
  {
    name: 'a part of a value is a reference',
    file: 'core/templates/vault.ts',
    replace: 'const REFERENCE = /^',
    by: 'const REFERENCE = /',
    test: 'test/templates/vault.test.ts',
    named: 'only looks like one',
  },
  {
    name: 'what is deleted is found',
    file: 'aws/vault.ts',
    replace: 'return DeletedDate ? undefined : ARN;',
    by: 'return ARN;',
    test: 'test/aws/vault.test.ts',
    named: 'keeps what is removed',
  },
];
