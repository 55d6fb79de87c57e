/** Compares the reader of JSON with `JSON.parse`: random texts, changed texts, and the repository's invalid bodies. */
import { isUtf8 } from 'node:buffer';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { elementsOf, parseJsonObject } from '../../core/json/json.ts';
import { faultOfUtf8 } from '../../core/json/utf8.ts';
import { payloadLimits } from '../../core/limits.ts';
import { InvalidRequest } from '../../core/requests/errors.ts';
import { bodyFor } from '../acceptance/attack/bodies.ts';
import { bodies } from '../contract/corpora/bodies.ts';
import { PROPERTY_SEED, seedOf } from '../runner/seed.ts';

const options = { seed: seedOf(PROPERTY_SEED), numRuns: 400 };

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Object.values(value).reduce<number>((deepest, part) => Math.max(deepest, depthOf(part)), 0)
    : 0;

let objects = 0;

/**
 * @returns the same object with the names in its text. `JSON.parse` of Node.js 24 can replace an escaped name by a name
 * from an earlier text with the same preceding names (nodejs/node#63785). A unique first name prevents that.
 */
function withRightNames(text: string, object: object): Record<string, unknown> {
  if (Object.keys(object).length === 0) return {};
  objects += 1;
  const first = `object ${objects}`;
  const { [first]: _, ...members } = JSON.parse(text.replace('{', `{"${first}":0,`));
  return members;
}

/** @returns the members as `JSON.parse` has them, or undefined if the bytes are not an object that can be a body */
function parsed(bytes: Uint8Array): Record<string, unknown> | undefined {
  if (!isUtf8(bytes)) return undefined;
  try {
    const text = Buffer.from(bytes).toString('utf8');
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && depthOf(value) <= payloadLimits.depth ? withRightNames(text, value) : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the members as the product does. */
function read(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const object = parseJsonObject(bytes);
    return Object.fromEntries(object.names.map((name) => [name, object.value(name)]));
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return undefined;
  }
}

const json = fc.tuple(fc.json({ maxDepth: 4 }), fc.constantFrom(undefined, 1, '\t')).map(([text, indent]) => {
  return Buffer.from(JSON.stringify(JSON.parse(text), undefined, indent));
});
const inObject = json.map((value) => Buffer.concat([Buffer.from(' {"a":0 , "\\u0061" : '), value, Buffer.from('}\n')]));

/** Bytes that have a meaning in JSON, and some that JSON never contains. */
const sharp = fc.oneof(fc.constantFrom(...Buffer.from('{}[]",:\\/-+.eE0123456789utfn \t\r\n')), fc.nat({ max: 255 }));

/** Replaces, inserts or removes one of the bytes. */
const changed = (right: fc.Arbitrary<Buffer>) =>
  fc.tuple(right, fc.nat(), sharp, fc.constantFrom(0, 1), fc.boolean()).map(([bytes, n, byte, gone, isPut]) => {
    const at = n % bytes.length;
    return Buffer.concat([bytes.subarray(0, at), Buffer.from(isPut ? [byte] : []), bytes.subarray(at + gone)]);
  });

describe('a body', () => {
  it.each([
    ['texts', fc.oneof(json, inObject)],
    ['changed texts', fc.oneof(changed(json), changed(inObject))],
    ['bytes of JSON in random order', fc.array(sharp, { maxLength: 12 }).map((bytes) => Buffer.from(bytes))],
    ['requests', bodyFor('run').filter(({ length }) => length < 500_000)],
  ])('is accepted with the members that JSON.parse finds, or refused if JSON.parse fails: %s', (_, bytes) => {
    fc.assert(
      fc.property(bytes, (body) => {
        expect(read(body)).toEqual(parsed(body));
      }),
      options,
    );
  });

  it.each(bodies.map(({ name, request }) => [name, request({ key: '', unknownKey: '', endpoint: '', job: '' }).body]))(
    'is read as JSON.parse reads it: %s',
    (_, body = '') => {
      const bytes = Buffer.from(body);
      expect(JSON.stringify(read(bytes))).toBe(JSON.stringify(parsed(bytes)));
    },
  );

  it('is read as JSON.parse reads it with another number or string', () => {
    const scalars = ['-', '-a', '00', '0.', '0.e1', '1e', '1e+', '1E-0', '-0.0e00', '.1', '1.2.3', '"', '"\\"', 'tru'];
    for (const scalar of [...scalars, '"\\u00g0"', '"\\u"', '"\\a"', '"\u007f"', 'nulll', 'true1', '"a""b"', '\u00a0'])
      for (const text of [`{"a":${scalar}}`, `{"a":[${scalar}]}`, `{${scalar}:1}`, scalar])
        expect([text, read(Buffer.from(text))]).toEqual([text, parsed(Buffer.from(text))]);
  });

  it('is read as JSON.parse reads it with brackets, commas and white space anywhere', () => {
    const brackets = ['{"a":[1}}', '{"a":[1}', '{"a":{"b":1]}', '{"a":1]', '[1}', '{"a":[]}}', '{"a":[[]}', '{"a":1'];
    const commas = [
      '{,}',
      '{"a":1,}',
      '{"a":[1,]}',
      '{"a":[,1]}',
      '{"a":1 "b":2}',
      '{"a":1,,"b":2}',
      '{"a",1}',
      '{"a":}',
    ];
    const spaces = [' ', '\t', '\n', '\r', '\f', '\v', '\u00a0', '\ufeff', '\0', '/**/'];
    const spaced = spaces.map((space) => ['', '{', '"a"', ':', '[', '1', ',', '2', ']', '}', ''].join(space));
    for (const text of [...brackets, ...commas, ...spaced])
      expect([text, read(Buffer.from(text))]).toEqual([text, parsed(Buffer.from(text))]);
  });
});

describe('the elements of an array', () => {
  it('equal those that JSON.parse finds', () => {
    fc.assert(
      fc.property(fc.array(json, { maxLength: 5 }), (elements) => {
        const texts = elements.map(String);
        expect(elementsOf(` [ ${texts.join(' , ')} ] `)).toEqual(texts);
      }),
      options,
    );
  });
});

describe('bytes that are not UTF-8', () => {
  it('reports the first byte that is not valid UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.nat({ max: 9_000 }), (text, length) => {
        const before = Buffer.from('é'.repeat(length) + text);
        expect(faultOfUtf8(before)).toBeUndefined();
        for (const wrong of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xf0, 0x9f]])
          for (const after of ['', 'x'.repeat(5_000)])
            expect(faultOfUtf8(Buffer.concat([before, Buffer.from(wrong), Buffer.from(after)]))).toBe(before.length);
      }),
      { ...options, numRuns: 100 },
    );
    const body = Buffer.concat([Buffer.from('{"input":{"a":"'), Buffer.from([0xff]), Buffer.from('"}}')]);
    expect(() => parseJsonObject(body)).toThrow('The body is not valid UTF-8 at byte 15.');
  });
});
