import { describe, expect, it } from '@jest/globals';
import { createAttempts, isUnanswered } from '../playground/attempt.ts';
import { emptyDraft, keepDraft, readDraft } from '../playground/draft.ts';
import { fieldError, fieldsOf, withField } from '../playground/fields.ts';
import { bodyOf, inputError, inputOfRequest, noOptions, optionErrors, requestOf } from '../playground/request.ts';

describe('the request of the playground', () => {
  it('contains the input as typed', () => {
    const input = '{\n  "n": 9007199254740993, "n": 1.0\n}\n';
    expect(bodyOf(requestOf(input, noOptions))).toBe('{"input": {\n  "n": 9007199254740993, "n": 1.0\n}}');
  });

  it('contains policy and webhook if they are set', () => {
    const options = { executionTimeout: ' 6000 ', ttl: '10000', lowPriority: true, webhook: ' https://a.example/"x" ' };
    expect(JSON.parse(bodyOf(requestOf('{}', options)))).toEqual({
      input: {},
      policy: { executionTimeout: 6000, ttl: 10_000, lowPriority: true },
      webhook: 'https://a.example/"x"',
    });
  });

  it.each([
    ['Line 1, column 7', 6, '{"a": }'],
    ['must be an object', 2, '  [1]'],
    ['but the text ends', 0, ''],
    ['larger than 1 MB', 1_000_000, `{"a": "${'x'.repeat(1_000_000)}"}`],
  ])('is refused with the error of its input: %s, at %i', (message, at, text) => {
    expect(inputError(text)).toEqual({ message: expect.stringContaining(message), at });
  });

  it('is recognized if it was pasted as the input', () => {
    expect(inputOfRequest('{"input": {"a": 1.0}, "webhook": "https://a.example"}')).toBe('{"a": 1.0}');
    for (const text of ['{"input": {"a": 1}, "n": 1}', '{"input": "text"}', '{"a": 1}', '{'])
      expect(inputOfRequest(text)).toBeUndefined();
  });

  it('is refused with the errors of its options', () => {
    expect(optionErrors(noOptions)).toEqual({});
    const wrong = { ...noOptions, executionTimeout: '5000', ttl: '1e5', webhook: 'ftp://a.example' };
    expect(Object.keys(optionErrors(wrong))).toEqual(['executionTimeout', 'ttl', 'webhook']);
    expect(optionErrors({ ...noOptions, executionTimeout: '5001', ttl: '604800000' })).toEqual({});
    expect(optionErrors({ ...noOptions, ttl: '604800001' })).toHaveProperty('ttl');
  });
});

describe('the key of a run', () => {
  const attempts = () => {
    let n = 0;
    return createAttempts(() => {
      n += 1;
      return `key-${n}`;
    });
  };

  it('is the same while the run has no response', () => {
    const keys = attempts();
    expect([keys.keyOf('a'), keys.keyOf('a')]).toEqual(['key-1', 'key-1']);
  });

  it('changes after a response and for another request', () => {
    const keys = attempts();
    const first = keys.keyOf('a');
    keys.answered();
    expect([first, keys.keyOf('a'), keys.keyOf('b')]).toEqual(['key-1', 'key-2', 'key-3']);
  });

  it('is kept after failures that might have stored the job', () => {
    expect([0, 500, 504, 400, 429].map(isUnanswered)).toEqual([true, true, true, false, false]);
  });
});

describe('the draft of an endpoint', () => {
  const store = () => {
    const items = new Map<string, string>();
    return {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => void items.set(key, value),
    };
  };

  it('is read back as typed, including unfinished text', () => {
    const kept = store();
    const draft = { input: '{"a": ', options: { ...noOptions, ttl: '1' } };
    expect(keepDraft('echo', draft, kept)).toBe(true);
    expect(readDraft('echo', kept)).toEqual(draft);
    expect(readDraft('other', kept)).toBeUndefined();
  });

  it('is undefined if the stored text is not a draft', () => {
    expect(readDraft('echo', { ...store(), getItem: () => '{' })).toBeUndefined();
    expect(readDraft('echo', { ...store(), getItem: () => '{"input": 1}' })).toBeUndefined();
  });

  it('is reported as not stored if the store is full', () => {
    const full = () => {
      throw new Error('QuotaExceededError');
    };
    expect(keepDraft('echo', emptyDraft, { ...store(), setItem: full })).toBe(false);
  });
});

describe('the form of an input', () => {
  const input = '{ "prompt": "a \\"b\\"", "seed": 9007199254740993, "fast": true, "list": [1], "prompt2": null }';

  it('has a field for each simple member', () => {
    expect(fieldsOf(input)).toEqual([
      { name: 'prompt', kind: 'string', value: 'a "b"' },
      { name: 'seed', kind: 'number', value: '9007199254740993' },
      { name: 'fast', kind: 'literal', value: 'true' },
      { name: 'prompt2', kind: 'literal', value: 'null' },
    ]);
    expect(fieldsOf('{')).toBeUndefined();
  });

  it('changes only the text of the changed field', () => {
    const [prompt, seed, fast] = fieldsOf(input) ?? [];
    if (!prompt || !seed || !fast) throw new Error('The form lacks fields.');
    const changed = withField(withField(withField(input, prompt, 'c\n"'), seed, '1.50'), fast, 'false');
    expect(changed).toBe('{ "prompt": "c\\n\\"", "seed": 1.50, "fast": false, "list": [1], "prompt2": null }');
  });

  it('accepts only numbers in a field for a number', () => {
    const number = { name: 'n', kind: 'number', value: '1' } as const;
    expect(['1', '-0.5e3', '9007199254740993'].map((value) => fieldError(number, value))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    for (const value of ['', '1.', '01', 'x', '1}']) expect(fieldError(number, value)).toBe('Enter a number.');
  });
});
