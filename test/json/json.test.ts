import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { jsonText, parseJsonObject } from '../../core/json/json.ts';
import { payloadLimits } from '../../core/limits.ts';
import { InvalidRequest } from '../../core/requests/errors.ts';

const inputOf = (body: string) => parseJsonObject(body).text('input');
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('the raw text of a member', () => {
  it.each([
    ['a number beyond 2^53', '{"n":12345678901234567890}'],
    ['minus zero', '{"z":-0}'],
    ['an escape', '{"s":"\\u00e9"}'],
    ['a number beyond a double', '{"e":1e400}'],
    ['a lone surrogate escape', '{"s":"\\ud800"}'],
    ['white space and key order', '{ "b" : 1,\n\t"a":[ 1 , 2 ] }'],
    ['braces, commas and quotes in strings', '{"s":"}],{\\"a\\\\","t":"\\\\\\\\"}'],
    ['a member called __proto__', '{"__proto__":{"x":1}}'],
    ['equal names', '{"a":1,"a":2}'],
    ['an empty object', '{}'],
  ])('contains %s unchanged', (_, input) => {
    expect(inputOf(`{"input":${input}}`)).toBe(input);
    expect(inputOf(` { "policy" : {"input":"no"} , "input" : ${input} , "z":"\\"" } `)).toBe(input);
  });

  it('is found if the name of the member is written with escapes', () => {
    const everyLetter = '{"\\u0069\\u006e\\u0070\\u0075\\u0074":{"a":1}}';
    for (const body of ['{"\\u0069nput":{"a":1}}', everyLetter]) {
      expect(inputOf(body)).toBe('{"a":1}');
      expect(parseJsonObject(body, ['input']).text('input')).toBe('{"a":1}');
    }
  });

  it('is that of the last member if names are equal, as with JSON.parse', () => {
    const body = '{"input":{"first":1},"input":{"last":1}}';
    expect(inputOf(body)).toBe('{"last":1}');
    expect(parseJsonObject(body).value('input')).toEqual({ last: 1 });
  });

  it('is undefined if only nested members have the name', () => {
    expect(inputOf('{"a":{"input":1},"b":["input",2]}')).toBeUndefined();
  });
});

describe('an invalid body', () => {
  it.each([
    ['', 'is empty'],
    [' \n', 'is empty'],
    ['null', 'got null'],
    ['[]', 'got an array'],
    ['"x"', 'got a string'],
    ['0', 'got a number'],
    ['{"a":1}garbage', 'not valid JSON'],
    ["{'a':1}", 'not valid JSON'],
    ['\ufeff{}', 'The body begins with a byte order mark; send JSON in UTF-8 without it.'],
    ['{"a":NaN}', 'The body contains NaN at byte 5, which is not a JSON value.'],
    ['{"a":[1,Infinity]}', 'The body contains Infinity at byte 8, which is not a JSON value.'],
    ['{"a":-Infinity}', 'The body contains -Infinity at byte 5, which is not a JSON value.'],
    ['{"a":None}', 'The body contains None at byte 5, which is not a JSON value.'],
    ['undefined', 'The body contains undefined at byte 0, which is not a JSON value.'],
    ['{"a":1}\n{"a":2}', 'not valid JSON'],
  ])('is refused with an error message: %j', (body, sentence) => {
    expect(() => parseJsonObject(body)).toThrow(InvalidRequest);
    expect(() => parseJsonObject(body)).toThrow(sentence);
  });

  const compressed = (body: Buffer) => [body, Buffer.from(body.toString('utf8'))];

  it.each([
    ['gzip', 'is gzip-compressed; Content-Encoding is not supported', compressed(gzipSync('{"input":{}}'))],
    ['zstd', 'is zstd-compressed; Content-Encoding is not supported', compressed(zstdCompressSync('{"input":{}}'))],
    ['UTF-16', 'begins with a byte order mark of UTF-16', [Buffer.from('\ufeff{}', 'utf16le')]],
  ])('in %s is refused with what was found, as bytes and as text of API Gateway', (_, sentence, bodies) => {
    for (const body of bodies) expect(() => parseJsonObject(body)).toThrow(`The body ${sentence}`);
  });

  it('is refused for its depth only above the maximum', () => {
    const deepest = nested(payloadLimits.depth - 1);
    expect(inputOf(`{"input":${deepest}}`)).toBe(deepest);
    expect(() => inputOf(`{"input":${nested(payloadLimits.depth)}}`)).toThrow('at most 128 levels are allowed');
    expect(() => inputOf(`{"input":${nested(1_000_000)}}`)).toThrow(InvalidRequest);
  });
});

describe('jsonText', () => {
  it('inserts raw values unchanged and omits undefined values', () => {
    expect(jsonText({ id: '"a"', output: '-0', error: undefined })).toBe('{"id":"a","output":-0}');
  });
});
