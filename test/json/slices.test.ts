/** Tests reading large bodies in slices, between which other work runs, and names in all notations. */
import { describe, expect, it } from '@jest/globals';
import { parseJsonObject, parseLargeObject } from '../../core/json/json.ts';
import { SLICE } from '../../core/json/slices.ts';
import { InvalidRequest } from '../../core/requests/errors.ts';
import { withTurns } from '../support/turns.ts';

const member = '"\\n":0,';
/** Returns an object of many short members that has the length of this number of slices. */
const large = (slices: number) => Buffer.from(`{${member.repeat((slices * SLICE) / member.length)}"input":{"a":1}}`);

describe('a large body', () => {
  it('yields to other work of the process after each slice', async () => {
    const { result, turns } = await withTurns(parseLargeObject(large(8), ['input']));
    expect(result.text('input')).toBe('{"a":1}');
    expect(turns).toBeGreaterThanOrEqual(8);
  });

  const space = ' '.repeat(8 * SLICE);
  const string = `"${'\\u00e9'.repeat((8 * SLICE) / 6)}"`;

  it.each([
    ['white space before it', `${space}{"input":{"a":1}}`],
    ['white space after it', `{"input":{"a":1}}${space}`],
    ['white space within it', `{"b":[1,${space}2],"input":{"a":1}}`],
    ['a string', `{"b":${string},"input":{"a":1}}`],
    ['a name', `{${string}:1,"input":{"a":1}}`],
  ])('yields to other work of the process within %s of many slices', async (_, body) => {
    const { result, turns } = await withTurns(parseLargeObject(Buffer.from(body), ['input']));
    expect(result.text('input')).toBe('{"a":1}');
    expect(turns).toBeGreaterThanOrEqual(7);
  });

  it.each(['', '0.', '1e'])('can have numbers of a slice of digits after %j, and no longer ones', (begin) => {
    const digits = '1'.repeat(SLICE);
    expect(parseJsonObject(`{"input":${begin}${digits}}`).names).toEqual(['input']);
    expect(() => parseJsonObject(`{"input":${begin}${digits}1}`)).toThrow(`expected at most ${SLICE} digits`);
  });

  it('is read after the previous large body, while small bodies are read immediately', async () => {
    const ended: string[] = [];
    const read = async (name: string, bytes: Buffer) => {
      await parseLargeObject(bytes, ['input']);
      ended.push(name);
    };
    await Promise.all([read('longer', large(8)), read('shorter', large(2)), read('small', Buffer.from('{}'))]);
    expect(ended).toEqual(['small', 'longer', 'shorter']);
  });

  it('is refused like a small body, and the next body is read', async () => {
    const wrong = Buffer.concat([large(2), Buffer.from('x')]);
    await expect(parseLargeObject(wrong, ['input'])).rejects.toThrow(InvalidRequest);
    await expect(parseLargeObject(wrong, ['input'])).rejects.toThrow(`the end of the body at byte ${wrong.length - 1}`);
    expect((await parseLargeObject(large(2), ['input'])).names).toEqual(['input']);
  });
});

describe('the name of a requested member', () => {
  it.each([
    ['input', true],
    ['\\u0069nput', true],
    ['\\u0069\\u006E\\u0070\\u0075\\u0074', true],
    ['inpu\\u0074', true],
    ['inpu', false],
    ['inputs', false],
    ['Input', false],
    ['inpu\\u0174', false],
    ['inpu\\t', false],
    ['\\n0069nput', false],
    ['', false],
  ])('is found in every notation: %s (%s)', (name, isFound) => {
    const found = parseJsonObject(`{"z":0,"${name}":1}`, ['policy', 'input']);
    expect(found.names).toEqual(isFound ? ['input'] : []);
  });
});
