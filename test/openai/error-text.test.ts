import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { errorIn, readError } from '../../core/openai/error-text.ts';
import { readLiteral } from '../../core/openai/literal.ts';
import { PROPERTY_SEED, seedOf } from '../runner/seed.ts';

const options = { seed: seedOf(PROPERTY_SEED), numRuns: 150 };

const read = (text: string) => {
  const { status, problem } = readError(text);
  return [status, problem.message, problem.type, problem.code];
};

describe('the error of a worker', () => {
  it.each<[string, string, unknown[]]>([
    ['is a plain string', 'CUDA out of memory', [500, 'CUDA out of memory', 'server_error', null]],
    [
      "is the Python form of OpenAI's error object",
      `{'error': {'message': "It's wrong", 'type': 'BadRequestError', 'param': None, 'code': 400}}`,
      [400, "It's wrong", 'BadRequestError', 400],
    ],
    [
      "is the Python form of vLLM's older error object",
      `{'object': 'error', 'message': 'The model \`x\` does not exist.', 'type': 'NotFoundError', 'param': None, 'code': 404}`,
      [404, 'The model `x` does not exist.', 'NotFoundError', 404],
    ],
    [
      'is JSON',
      '{"error":{"message":"Zu viel \\u00e4","type":"rate_limit_error","code":"slow_down"}}',
      [429, 'Zu viel ä', 'rate_limit_error', 'slow_down'],
    ],
    [
      "is worker-vllm's, with the server's status and response",
      'vLLM returned HTTP 404: {"error":{"message":"No model","type":"NotFoundError","param":null,"code":404}}',
      [404, 'No model', 'NotFoundError', 404],
    ],
    [
      "is the SDK's form of worker-vllm's error",
      `{'message': 'vLLM returned HTTP 400: {"error":{"message":"max_tokens is \\'x\\'","type":"BadRequestError","code":400}}', 'type': 'worker_error', 'code': None}`,
      [400, "max_tokens is 'x'", 'BadRequestError', 400],
    ],
    [
      'has a status in front of its object that differs from its code',
      'vLLM returned HTTP 422: {"error":{"message":"m","type":"x","code":400}}',
      [422, 'm', 'x', 400],
    ],
    [
      'has a status and no object',
      'vLLM returned HTTP 503: Service Unavailable',
      [503, 'vLLM returned HTTP 503: Service Unavailable', 'server_error', null],
    ],
    [
      'has a status that is not an error',
      'vLLM returned HTTP 200: x',
      [500, 'vLLM returned HTTP 200: x', 'server_error', null],
    ],
    [
      'is an exception of the SDK',
      `{"error_type": "<class 'ValueError'>", "error_message": "vLLM returned HTTP 404: gone", "error_traceback": "..."}`,
      [404, 'vLLM returned HTTP 404: gone', 'not_found_error', null],
    ],
    ['contains a status in its text', 'See chapter HTTP 404', [500, 'See chapter HTTP 404', 'server_error', null]],
    ['has the code as digits', `{'message': 'm', 'code': '429'}`, [429, 'm', 'rate_limit_error', '429']],
    [
      'has objects without a literal form',
      `{'cause': <Error at 0x7f, [1]>, 'at': datetime.datetime(2026, 1, 1), 'message': 'm', 'code': 400}`,
      [400, 'm', 'invalid_request_error', 400],
    ],
    ['is truncated', `{'error': {'message': 'Too lon`, [500, 'Too lon', 'server_error', null]],
    ['is an object without a message', `{'a': 1}`, [500, `{'a': 1}`, 'server_error', null]],
    ['is empty', '', [500, '', 'server_error', null]],
  ])('%s', (_, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it('is read in bounded time, with the status of an error, whatever its characters are', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '(',
      ')',
      "'",
      '"',
      '\\',
      ',',
      ':',
      "'error': ",
      '"message":',
      'HTTP 404:',
      'returned HTTP 500: ',
      'None',
      '1e9',
      ' ',
      '\\u',
      '\\U0011ffff',
      'x'.repeat(100),
    );
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces, { maxLength: 200 }).map((those) => those.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const { status, problem } = readError(text);
        expect([status >= 400 && status <= 599, typeof problem.message, typeof problem.type]).toEqual([
          true,
          'string',
          'string',
        ]);
        errorIn(text);
      }),
      options,
    );
  });

  it.each(['{', '[', "{'error': ", '{"error": {"message": "', "'", '\\'])(
    'is read if it repeats %s 100,000 times',
    (piece) => {
      expect(readError(piece.repeat(100_000)).status).toBe(500);
    },
  );
});

/** @returns the Python form of a value */
function reprOf(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') {
    const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
    const escaped = [...value].map((character) => {
      if (character === '\\' || character === quote) return `\\${character}`;
      if (character === '\n') return '\\n';
      const point = character.codePointAt(0) ?? 0;
      if (point < 32 || point === 127) return `\\x${point.toString(16).padStart(2, '0')}`;
      return point >= 0xd800 && point <= 0xdfff ? `\\u${point.toString(16)}` : character;
    });
    return `${quote}${escaped.join('')}${quote}`;
  }
  if (Array.isArray(value)) return `[${value.map(reprOf).join(', ')}]`;
  const members = Object.entries(value as object).map(([name, member]) => `${reprOf(name)}: ${reprOf(member)}`);
  return `{${members.join(', ')}}`;
}

/** @returns the value that was read, as JSON represents it */
function plain(value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([name, member]) => [name, plain(member)]));
  return Array.isArray(value) ? value.map(plain) : value;
}

describe('a literal', () => {
  const values = fc
    .jsonValue({ maxDepth: 3, stringUnit: 'binary' })
    .filter((value) => !JSON.stringify(value).includes('__proto__'));

  it('is read from the JSON of any value', () => {
    fc.assert(
      fc.property(values, (value) => {
        const json = JSON.parse(JSON.stringify(value));
        expect(plain(readLiteral(JSON.stringify(value)))).toEqual(json);
      }),
      options,
    );
  });

  it('is read from the Python form of any value', () => {
    fc.assert(
      fc.property(values, (value) => {
        const json = JSON.parse(JSON.stringify(value));
        expect(plain(readLiteral(reprOf(json)))).toEqual(json);
      }),
      options,
    );
  });
});

describe('an answer from a worker', () => {
  it.each([
    ['{"object":"error","message":"No","code":404}', 404],
    ['{"error":{"message":"No","type":"BadRequestError"}}', 400],
    ['{"error":"No"}', 500],
  ])('is an error if it has the form of an error: %s', (text, status) => {
    expect(errorIn(text)?.status).toBe(status);
  });

  it.each([
    '{"id":"resp_1","error":null}',
    '{"object":"list","data":[]}',
    '{"id":"x","error":{"message":"m"}}',
    '[]',
    '"error"',
  ])('is not an error in any other form: %s', (text) => {
    expect(errorIn(text)).toBeUndefined();
  });
});
