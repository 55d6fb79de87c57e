/** Compares the reader of calls with `JSON.parse`, on inputs with any members, order and white space. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openAiCallFrom } from '../../core/openai/call-from-input.ts';
import { InvalidRequest } from '../../core/requests/errors.ts';
import { PROPERTY_SEED, seedOf } from '../runner/seed.ts';

const options = { seed: seedOf(PROPERTY_SEED), numRuns: 100 };

const read = (text: string) => openAiCallFrom(Buffer.from(text));
const readInput = (input: object) => read(JSON.stringify(input));

/** Returns the JSON of an object, with white space around its parts and with names that may be escaped. */
const objectOf = (members: readonly (readonly [string, string])[], space: string, isEscaped: boolean) => {
  const nameOf = (name: string) =>
    isEscaped ? `"\\u${name.charCodeAt(0).toString(16).padStart(4, '0')}${name.slice(1)}"` : `"${name}"`;
  const parts = members.map(([name, value]) => `${space}${nameOf(name)}${space}:${space}${value}${space}`);
  return `${space}{${parts.join(',')}}${space}`;
};

const route = fc
  .array(fc.stringMatching(/^[\w\-~!$&'()*+,;=:@]{1,12}$/), { minLength: 1, maxLength: 4 })
  .map((parts) => `/v1/${parts.join('/')}`);
const query = fc.option(fc.stringMatching(/^[\w=&%.~-]{0,20}$/), { nil: undefined });
const base64 = fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes).toString('base64'));
const body = fc.oneof(
  fc.record({ openai_input: fc.json({ maxDepth: 3 }).map((text) => JSON.stringify(JSON.parse(text), undefined, 1)) }),
  fc.record({ openai_base64: base64.map((text) => JSON.stringify(text)) }),
  fc.record({
    openai_content_type: fc.constantFrom('"audio/wav"', '"multipart/form-data; boundary=\\"a b\\""'),
    openai_base64: base64.map((text) => JSON.stringify(text).replaceAll('/', '\\/')),
  }),
  fc.constant({}),
);
const other = fc.dictionary(fc.stringMatching(/^x[a-z]{0,5}$/), fc.json({ maxDepth: 2 }), { maxKeys: 3 });

interface Said {
  readonly openai_route: string;
  readonly openai_query?: string;
  readonly openai_input?: unknown;
  readonly openai_content_type?: string;
  readonly openai_base64?: string;
}

describe('the call in an input', () => {
  it('has the path, the type and the bytes of its members, in any order', async () => {
    const members = fc
      .tuple(route, query, body, other)
      .map(([itsRoute, itsQuery, itsBody, others]) => ({
        openai_route: JSON.stringify(itsRoute),
        ...(itsQuery !== undefined && { openai_query: JSON.stringify(itsQuery) }),
        ...itsBody,
        ...others,
      }))
      .chain((all) => fc.shuffledSubarray(Object.entries<string>(all), { minLength: Object.keys(all).length }));
    await fc.assert(
      fc.asyncProperty(members, fc.constantFrom('', ' ', '\n\t'), fc.boolean(), async (entries, space, isEscaped) => {
        const text = objectOf(entries, space, isEscaped);
        const said = JSON.parse(objectOf(entries, '', false)) as Said;
        const call = await read(text);
        expect(call?.path).toBe(said.openai_query ? `${said.openai_route}?${said.openai_query}` : said.openai_route);
        const json = new Map(entries).get('openai_input');
        if (said.openai_base64 !== undefined) {
          expect(call?.contentType).toBe(said.openai_content_type);
          expect(call?.body).toEqual(Buffer.from(said.openai_base64, 'base64'));
        } else if (json !== undefined && json !== 'null') {
          expect(call?.contentType).toBe('application/json');
          expect(call?.body?.toString()).toBe(json);
        } else expect(call).toEqual({ path: call?.path });
      }),
      options,
    );
  });

  it('is always below /v1/, and has only characters that a request line allows', async () => {
    const piece = fc.constantFrom(
      '..',
      '.',
      ';',
      '%252e',
      '/',
      '\\',
      '%2e',
      '%2F',
      '%5c',
      '%00',
      '%',
      '?',
      '#',
      ' ',
      '\r\n',
      'é',
      '@',
      ':',
      'v1',
    );
    const routes = fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 2 })), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('/v1/', ''), routes, async (start, pieces) => {
        const call = await readInput({ openai_route: start + pieces.join('') }).catch((error: unknown) => {
          expect(error).toBeInstanceOf(InvalidRequest);
        });
        if (!call) return;
        const { href, host } = new URL(call.path, 'http://server');
        expect([host, href]).toEqual(['server', expect.stringMatching(/^http:\/\/server\/v1\/[!-~]+$/)]);
        const decoded = decodeURIComponent(call.path);
        const again = decoded.replace(/%2e/gi, '.');
        for (const text of [decoded, again])
          expect(text.split(/[/\\]/)).not.toEqual(expect.arrayContaining([expect.stringMatching(/^\.\.?(?:;.*)?$/)]));
        expect([...decoded].filter((character) => character < ' ' || character === '\x7f')).toEqual([]);
      }),
      { ...options, numRuns: 300 },
    );
  });

  it('is missing if the input has no route', async () => {
    expect(await readInput({ openai_input: {}, openai_query: 7 })).toBeUndefined();
    expect(await readInput({})).toBeUndefined();
  });

  it('is a GET if the body is null', async () => {
    expect(await readInput({ openai_route: '/v1/models', openai_input: null })).toEqual({ path: '/v1/models' });
  });

  it('is a POST if the body is empty', async () => {
    const call = await readInput({ openai_route: '/v1/x', openai_base64: '' });
    expect(call).toEqual({ path: '/v1/x', body: Buffer.of() });
  });

  it.each([
    [
      'the path is not below /v1/',
      { openai_route: '/generate' },
      '`openai_route` is "/generate"; it must be a path that begins',
    ],
    ['the path is a number', { openai_route: 7 }, '`openai_route` is 7; it must be a path'],
    ['the path is a URL', { openai_route: 'http://a/v1/models' }, '`openai_route` is "http://a/v1/models"'],
    ['the path contains a host', { openai_route: '//a/v1/models' }, '`openai_route` is "//a/v1/models"'],
    ['the path contains a parent folder', { openai_route: '/v1/../metrics' }, '`openai_route` is "/v1/../metrics"'],
    [
      'the path contains an escaped parent folder',
      { openai_route: '/v1/%2E%2e%2Fmetrics' },
      '`openai_route` is "/v1/%2E%2e%2Fmetrics"',
    ],
    ['the path contains a parent folder with a parameter', { openai_route: '/v1/..;/x' }, 'is "/v1/..;/x"; it must'],
    [
      'the path contains a parent folder that is escaped two times',
      { openai_route: '/v1/%252e%252e/x' },
      '`openai_route` is "/v1/%252e%252e/x"; it must be a path that begins',
    ],
    ['the path contains an escaped line break', { openai_route: '/v1/a%0D%0Ab' }, '`openai_route` is "/v1/a%0D%0Ab"'],
    ['the path contains a query', { openai_route: '/v1/models?a=1' }, 'without a query string'],
    ['the path is too long', { openai_route: `/v1/${'a'.repeat(2_048)}` }, 'a…; it must be a path that begins'],
    [
      'the path is too long and has an emoji where the message cuts it',
      { openai_route: `/v1/${'a'.repeat(74)}\u{1f600}${'a'.repeat(2_048)}` },
      'a\ufffd…; it must be a path that begins',
    ],
    [
      'the query contains a line break',
      { openai_route: '/v1/a', openai_query: 'a\nb' },
      '`openai_query` is "a\\nb"; it must be the',
    ],
    [
      'the method is unknown',
      { openai_route: '/v1/a', openai_method: 'TRACE' },
      '`openai_method` is "TRACE"; it must be `GET`, `POST`, `PUT`, `PATCH` or `DELETE`',
    ],
    [
      'the query is too long',
      { openai_route: '/v1/a', openai_query: 'a'.repeat(8_193) },
      'of at most 8192 characters.',
    ],
    [
      'the media type contains a line break',
      { openai_route: '/v1/a', openai_content_type: 'a/b\r\nx: y', openai_base64: '' },
      '`openai_content_type` is "a/b\\r\\nx: y"; it must be a media type',
    ],
    [
      'there is a media type without a body',
      { openai_route: '/v1/a', openai_content_type: 'a/b' },
      'without `openai_base64`',
    ],
    [
      'the base64 has an invalid character',
      { openai_route: '/v1/a', openai_base64: 'a-b_' },
      '`openai_base64` is "a-b_"; it must be base64',
    ],
    [
      'the base64 is incomplete',
      { openai_route: '/v1/a', openai_base64: 'abcde' },
      'it must be base64 with its padding.',
    ],
    [
      'the base64 is only padding',
      { openai_route: '/v1/a', openai_base64: '====' },
      'it must be base64 with its padding.',
    ],
    [
      'the base64 is a list',
      { openai_route: '/v1/a', openai_base64: [1] },
      '`openai_base64` is [1]; it must be base64',
    ],
    ['there are two bodies', { openai_route: '/v1/a', openai_input: {}, openai_base64: '' }, 'send only one of them.'],
  ])('is refused with an error message if %s', async (_, input, message) => {
    await expect(readInput(input)).rejects.toThrow(InvalidRequest);
    await expect(readInput(input)).rejects.toThrow(message);
  });
});
