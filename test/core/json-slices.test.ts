/** Tests reading large bodies in slices, between which other work runs, and names in all notations. */
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { InvalidRequest } from '../../core/errors.ts';
import { parseJsonObject, parseLargeObject } from '../../core/json.ts';
import { SLICE } from '../../core/json-scan.ts';

const member = '"\\n":0,';
/** Returns an object of many short members that has the length of this number of slices. */
const large = (slices: number) => Buffer.from(`{${member.repeat((slices * SLICE) / member.length)}"input":{"a":1}}`);

describe('a large body', () => {
  it('yields to other work of the process after each slice', async () => {
    const parsed = parseLargeObject(large(8), ['input']);
    let turns = 0;
    let isOver = false;
    const over = parsed.then((object) => {
      isOver = true;
      return object;
    });
    for (; !isOver; turns += 1) await turn();
    expect((await over).text('input')).toBe('{"a":1}');
    expect(turns).toBeGreaterThanOrEqual(8);
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
