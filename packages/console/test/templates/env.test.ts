/** Tests of the environment variables of a template in a form. */
import { describe, expect, it } from '@jest/globals';
import { concerned, envOf, isConcealed, repeated, type Variable, valueShown, variablesOf } from '../../template/env.ts';

const env = { MODEL: 'llama-3', TOKEN: '{{secrets:HF_TOKEN}}', DB_PASSWORD: 'hunter2' };

describe('environment variables in a form', () => {
  it('are sent unchanged if the user changes nothing', () => {
    expect(envOf(variablesOf(env), env)).toEqual(env);
  });

  it('contain no value that might be secret', () => {
    expect(JSON.stringify(variablesOf(env))).not.toContain('hunter2');
  });

  it('are sorted by name, regardless of their order in the response', () => {
    expect(variablesOf({ B: '', a: '', A: '' }).map(({ name }) => name)).toEqual(['A', 'B', 'a']);
  });

  it('keep a hidden value if the variable is renamed', () => {
    const renamed = variablesOf(env).map((variable) => ({ ...variable, name: `${variable.name}_2` }));
    expect(envOf(renamed, env)).toEqual({
      MODEL_2: 'llama-3',
      TOKEN_2: '{{secrets:HF_TOKEN}}',
      DB_PASSWORD_2: 'hunter2',
    });
  });

  it('do not keep a hidden value that is replaced', () => {
    const variables: Variable[] = [{ kind: 'text', name: 'DB_PASSWORD', value: 'other' }];
    expect(envOf(variables, env)).toEqual({ DB_PASSWORD: 'other' });
  });

  it('refer to a secret only by its name', () => {
    expect(variablesOf(env)[2]).toEqual({ kind: 'secret', name: 'TOKEN', value: 'HF_TOKEN' });
    expect(envOf([{ kind: 'secret', name: 'A', value: 'B' }], {})).toEqual({ A: '{{secrets:B}}' });
  });

  it('omit empty rows', () => {
    expect(envOf([{ kind: 'text', name: '', value: '' }], {})).toEqual({});
    expect(envOf([{ kind: 'text', name: '', value: 'x' }], {})).toEqual({ '': 'x' });
  });

  it.each(['HF_TOKEN', 'api_key', 'DB_PASSWORD', 'AUTH', 'SENTRY_DSN', 'SECRET', 'APIKEY'])(
    'conceal the plain value of %s',
    (name) => {
      expect(isConcealed(name, 'abc')).toBe(true);
      expect(valueShown(name, 'abc')).toBe('Hidden');
    },
  );

  it.each(['MODEL', 'MAX_TOKENS', 'TOKENIZER', 'MONKEY', 'AUTHOR', 'KEYBOARD'])(
    'show the plain value of %s',
    (name) => {
      expect(valueShown(name, 'abc')).toBe('abc');
    },
  );

  it('conceal values that the service hides, and show the name of a secret', () => {
    expect(valueShown('MODEL', '********')).toBe('Hidden');
    expect(valueShown('TOKEN', '{{secrets:HF_TOKEN}}')).toBe('Secret HF_TOKEN');
    expect(isConcealed('TOKEN', '')).toBe(false);
  });

  it.each([
    ['Has the name "AWS_X", which must be another name.', [0]],
    ['Must have a Unicode string without zero characters for A.', [1]],
    ['Has an invalid secret reference for A: a secret must be the whole value.', [1]],
    ['Names secrets that do not exist: `HF`, `HG`; `npx gpu-endpoints secrets ls` shows all secrets.', [3]],
    ['Has the name "", which must be a name of at most 255 letters.', [4]],
    ['Must be an object of at most 256 names with string values.', []],
  ])('are found in an error from the service: %s', (text, rows) => {
    const variables: Variable[] = [
      { kind: 'text', name: 'AWS_X', value: 'HF' },
      { kind: 'text', name: 'A', value: '' },
      { kind: 'text', name: 'AB', value: 'HF' },
      { kind: 'secret', name: 'C', value: 'HF' },
      { kind: 'text', name: '', value: 'x' },
      { kind: 'text', name: '', value: '' },
    ];
    expect(concerned(text, variables)).toEqual(rows);
  });

  it('are reported if two of them have the same name', () => {
    const row = (name: string, value = ''): Variable => ({ kind: 'text', name, value });
    expect(repeated([row('A'), row('B'), row('A', 'x'), row('A'), row(''), row('')])).toEqual([2, 3]);
  });
});
