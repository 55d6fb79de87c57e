import { describe, expect, it } from '@jest/globals';
import { InvalidRequest } from '../../core/errors.ts';
import { parseSubmission } from '../../core/jobs/submission.ts';

const withPolicy = (policy: unknown) => parseSubmission(JSON.stringify({ input: {}, policy })).policy;

describe('input', () => {
  it.each([
    ['{}', '`input` is missing'],
    ['{"input":null}', '`input` must be an object, got null'],
    ['{"input":[]}', '`input` must be an object, got []'],
    ['{"input":"x"}', '`input` must be an object, got "x"'],
    ['{"input":7}', '`input` must be an object, got 7'],
  ])('%s is refused: %s', (body, sentence) => {
    expect(() => parseSubmission(body)).toThrow(InvalidRequest);
    expect(() => parseSubmission(body)).toThrow(sentence);
  });

  it('may be empty', () => {
    expect(parseSubmission('{"input":{}}')).toEqual({ input: '{}', policy: {} });
  });
});

describe('policy', () => {
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
    [null, 'got null'],
  ])('%j is refused with its value and the range', (policy, sentence) => {
    expect(() => withPolicy(policy)).toThrow(InvalidRequest);
    expect(() => withPolicy(policy)).toThrow(sentence);
  });

  it('names every field that is wrong', () => {
    expect(() => withPolicy({ ttl: 1, lowPriority: 1 })).toThrow(
      /policy\.lowPriority.*policy\.ttl|policy\.ttl.*policy\.lowPriority/,
    );
  });
});

describe('other fields', () => {
  it('are ignored when the contract does not know them', () => {
    expect(parseSubmission('{"input":{},"id":"x","status":"COMPLETED"}')).toEqual({ input: '{}', policy: {} });
  });

  it.each(['webhook', 's3Config'])('%s is refused rather than lost', (field) => {
    const body = JSON.stringify({ input: {}, [field]: { accessSecret: 'canary' } });
    expect(() => parseSubmission(body)).toThrow(`\`${field}\` is not supported`);
    expect(() => parseSubmission(body)).not.toThrow('canary');
  });

  it('cannot reach a prototype', () => {
    parseSubmission('{"__proto__":{"policy":{"ttl":10000}},"constructor":{"prototype":{"x":1}},"input":{}}');
    expect(Reflect.get({}, 'x')).toBeUndefined();
    expect(parseSubmission('{"__proto__":{"policy":{"ttl":10000}},"input":{}}').policy).toEqual({});
  });
});
