import { describe, expect, it } from '@jest/globals';
import { parseJsonObject } from '../../core/json/json.ts';
import { payloadLimits } from '../../core/limits.ts';
import { InvalidRequest } from '../../core/requests/errors.ts';
import { parseSubmission as parse, submissionMembers } from '../../core/submission/request.ts';

function parseSubmission(body: string, networks?: readonly string[]) {
  const { input, ...rest } = parse(parseJsonObject(body, submissionMembers), networks);
  return { ...rest, input: Buffer.from(input).toString() };
}

const withPolicy = (policy: unknown) => parseSubmission(JSON.stringify({ input: {}, policy })).policy;

describe('the input', () => {
  it.each([
    ['{}', '`input` is missing'],
    ['{"input":null}', '`input` must be an object, got null'],
    ['{"input":[]}', '`input` must be an object, got []'],
    ['{"input":"x"}', '`input` must be an object, got "x"'],
    ['{"input":7}', '`input` must be an object, got 7'],
    [`{"input":"${'é'.repeat(100)}"}`, `must be an object, got "${'é'.repeat(79)}….`],
    // Half of a surrogate pair is replaced: strict JSON parsers refuse it.
    [`{"input":"${'x'.repeat(78)}\u{1f600}"}`, `got "${'x'.repeat(78)}\ufffd….`],
    [`{"input":[${'[],'.repeat(100_000)}[]]}`, `must be an object, got [${'[],'.repeat(26)}[….`],
  ])('%s is refused: %s', (body, sentence) => {
    expect(() => parseSubmission(body)).toThrow(InvalidRequest);
    expect(() => parseSubmission(body)).toThrow(sentence);
  });

  it('may be empty', () => {
    expect(parseSubmission('{"input":{}}')).toEqual({ input: '{}', policy: {} });
  });
});

describe('the policy', () => {
  it.each([
    { ttl: 10_000 },
    { ttl: 604_800_000 },
    { executionTimeout: 5_001 },
    { executionTimeout: 604_800_000 },
    { lowPriority: true },
    { lowPriority: false },
    {},
  ])('%j is allowed', (policy) => {
    expect(withPolicy(policy)).toEqual(policy);
  });

  it.each([
    [{ ttl: 9_999 }, '`policy.ttl` must be a whole number of milliseconds from 10000 to 604800000, got 9999'],
    [{ ttl: 604_800_001 }, 'got 604800001'],
    [{ ttl: 10_000.5 }, 'got 10000.5'],
    [{ ttl: '10000' }, 'got "10000"'],
    [{ ttl: -1 }, 'got -1'],
    [{ ttl: 1e21 }, 'got 1e+21'],
    [{ ttl: null }, 'got null'],
    [{ ttl: [] }, 'got []'],
    [{ ttl: true }, 'got true'],
    [{ executionTimeout: 5_000 }, '`policy.executionTimeout` must be a whole number of milliseconds from 5001'],
    [{ executionTimeout: 0 }, 'got 0'],
    [{ executionTimeout: 2 ** 53 }, 'got 9007199254740992'],
    [{ executionTimeout: '6000' }, 'got "6000"'],
    [{ lowPriority: 'true' }, '`policy.lowPriority` must be true or false, got "true"'],
    [{ lowPriority: 1 }, 'got 1'],
    [{ lowPriority: null }, 'got null'],
    [[], '`policy` must be an object, got []'],
    ['x', 'got "x"'],
    [`${'x'.repeat(78)}\u{1f600}`, `got "${'x'.repeat(78)}\ufffd….`],
    [null, 'got null'],
  ])('%j is refused with a message that contains the value and the range', (policy, sentence) => {
    expect(() => withPolicy(policy)).toThrow(InvalidRequest);
    expect(() => withPolicy(policy)).toThrow(sentence);
  });

  it.each([
    ['1e999', 'large'],
    ['-1e999', 'small'],
  ])('with %s is refused with the range and as too %s, not as null', (number, size) => {
    const body = (name: string) => `{"input":{},"policy":{"${name}":${number}}}`;
    for (const name of ['ttl', 'executionTimeout'])
      expect(() => parseSubmission(body(name))).toThrow(/ to 604800000, got a number that is too (?:large|small)\.$/);
    expect(() => parseSubmission(body('ttl'))).toThrow(`got a number that is too ${size}.`);
  });

  it('is refused with one message for each field, even if a value fails several checks', () => {
    const sentence = (field: string, min: number, value: string) =>
      `\`policy.${field}\` must be a whole number of milliseconds from ${min} to 604800000, got ${value}`;
    const both = `${sentence('executionTimeout', 5_001, '-1e+30')}; ${sentence('ttl', 10_000, '1e+99')}.`;
    expect(() => withPolicy({ executionTimeout: -1e30, ttl: 1e99 })).toThrow(new InvalidRequest(both));
  });

  it('is refused with the names of all invalid fields', () => {
    expect(() => withPolicy({ ttl: 1, lowPriority: 1 })).toThrow(
      /policy\.lowPriority.*policy\.ttl|policy\.ttl.*policy\.lowPriority/,
    );
  });
});

describe('s3Config', () => {
  const given = (s3Config: string) => parseSubmission(`{"input":{},"s3Config":${s3Config}}`).s3Config;

  it.each([
    '{}',
    '{"accessId":"a","accessSecret":"b","bucketName":"c","endpointUrl":"not checked"}',
    '{ "accessSecret" : "\\u00e9", "n":12345678901234567890, "objectPath":{"a":[-0,null]}, "__proto__":1 }',
    '{"accessId":7,"accessId":"last"}',
  ])('%s is stored as the client wrote it', (text) => {
    expect(given(text)).toBe(text);
  });

  it.each([
    ['null', '`s3Config` must be an object.'],
    ['"canary"', '`s3Config` must be an object.'],
    ['["canary"]', '`s3Config` must be an object.'],
    ['{"accessSecret":["canary"]}', '`s3Config.accessSecret` must be a string.'],
    ['{"accessId":"canary","bucketName":null}', '`s3Config.bucketName` must be a string.'],
    [
      '{"accessId":{"canary":1},"endpointUrl":1,"accessSecret":"canary"}',
      '`s3Config.accessId` must be a string; `s3Config.endpointUrl` must be a string.',
    ],
  ])('%s is refused with a message that contains no part of it', (text, sentence) => {
    expect(() => given(text)).toThrow(new InvalidRequest(sentence));
  });

  it.each([
    [
      '{"input":{},"s3Config":{"accessSecret":"canary"',
      'a comma or a closing bracket at byte 47, but the body ends there',
    ],
    ['{"input":{},"s3Config":{"accessSecret":canary}}', 'a value at byte 39'],
    ['{"input":{},"s3Config":{"accessSecret":"canary" canary}}', 'a comma or a closing bracket at byte 48'],
    ['{"input":{},"s3Config":{"accessSecret":"\\q canary"}}', 'an escape character at byte 41'],
    ['{"input":{},"s3Config":{"accessSecret":"\\u12 canary"}}', 'a hexadecimal digit of an escape at byte 44'],
    ['{"input":{},"s3Config":{"accessSecret":"canary\n"}}', 'a character of a string at byte 46'],
    ['{"input":{},"s3Config":{canary:1}}', 'a name in double quotes at byte 24'],
    ['{"input":{},"s3Config":{"accessSecret" "canary"}}', 'a colon at byte 39'],
    ['{"input":{},"s3Config":{"accessSecret":-canary}}', 'a digit at byte 40'],
    ['"canary', 'a character of a string at byte 7, but the body ends there'],
    ['canary', 'a value at byte 0'],
    ['{"s3Config":"canary"},', 'the end of the body at byte 21'],
    [',"canary"', 'a value at byte 0'],
  ])('is not quoted if the body is not JSON: %s', (body, sentence) => {
    expect(() => parseSubmission(body)).toThrow(
      new InvalidRequest(`The body is not valid JSON: expected ${sentence}.`),
    );
  });
});

describe('a field that is parsed', () => {
  const sized = (name: string, bytes: number) =>
    `{"input":{},"${name}":${name === 'webhook' ? `"${'é'.repeat((bytes - 2) / 2)}"` : `{"x":"${'é'.repeat((bytes - 8) / 2)}"}`}}`;

  it.each(['policy', 's3Config', 'webhook'])(
    'is refused above 65,536 bytes with a message that contains only its name: %s',
    (name) => {
      const sentence = `\`${name}\` has 65538 bytes; at most 65536 are allowed.`;
      expect(() => parseSubmission(sized(name, payloadLimits.field + 2))).toThrow(new InvalidRequest(sentence));
      if (name !== 'webhook') expect(parseSubmission(sized(name, payloadLimits.field)).input).toBe('{}');
    },
  );
});

describe('another field of a submission', () => {
  it('is ignored if the contract does not define it', () => {
    expect(parseSubmission('{"input":{},"id":"x","status":"COMPLETED"}')).toEqual({ input: '{}', policy: {} });
  });

  it('can be a webhook with a public address or an address of an allowed network', () => {
    const body = (webhook: string) => `{"input":{},"webhook":${webhook}}`;
    expect(parseSubmission(body('"https://a.test/hook"')).webhook).toBe('https://a.test/hook');
    expect(() => parseSubmission(body('"http://127.0.0.1:9000/"'))).toThrow('`webhook` must have a public address');
    expect(parseSubmission(body('"http://127.0.0.1:9000/"'), ['127.0.0.1']).webhook).toBe('http://127.0.0.1:9000/');
    expect(() => parseSubmission(body('null'))).toThrow('`webhook` must be a string');
  });

  it('cannot change a prototype', () => {
    parseSubmission('{"__proto__":{"policy":{"ttl":10000}},"constructor":{"prototype":{"x":1}},"input":{}}');
    expect(Reflect.get({}, 'x')).toBeUndefined();
    expect(parseSubmission('{"__proto__":{"policy":{"ttl":10000}},"input":{}}').policy).toEqual({});
  });
});
