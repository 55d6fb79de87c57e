import { accepted, type Given, type Row, refusedAs } from './row.ts';

type Headers = (given: Given) => readonly (readonly [name: string, value: string])[];

const unauthorized = refusedAs(401, 'UNAUTHORIZED');

const health = (name: string, headers: Headers, expected: Pick<Row, 'status' | 'code'>): Row => ({
  name,
  request: (given) => ({ method: 'GET', path: `/${given.endpoint}/health`, headers: headers(given) }),
  ...expected,
});

/**
 * Accepted forms of the header `Authorization`; `K` stands for the key. White space around the value and after `Bearer`
 * is ignored.
 */
const good = ['K', 'Bearer K', 'bearer K', 'BEARER K', 'bEaReR K', 'Bearer  K', 'Bearer\tK', ' K', 'K ', ' Bearer K  '];

/** Refused forms of the header. `U` stands for a key that was never created. */
const bad = [
  '',
  ' ',
  'Bearer',
  'Bearer ',
  'bearer',
  'Bearer:K',
  'Bearer: K',
  'Bearer=K',
  'Bearer,K',
  'BearerK',
  'Bearer Bearer K',
  'Bearer K K',
  'Bearer K, Bearer K',
  'K, K',
  'K;',
  'Bearer K;a=b',
  '"K"',
  'Bearer "K"',
  "Bearer 'K'",
  'Bearer <K>',
  'Bearer {K}',
  'Token K',
  'Key K',
  'ApiKey K',
  'Basic SzpL',
  'Basic K',
  'Digest username="K"',
  'AWS4-HMAC-SHA256 Credential=K/20260101/us-east-1/execute-api/aws4_request, SignedHeaders=host, Signature=0',
  'Bearer U',
  'U',
  'Bearer null',
  'Bearer undefined',
  'Bearer true',
  'Bearer 0',
  'Bearer *',
  'Bearer %',
  'Bearer ../../',
  'Bearer {"$ne":""}',
  'Bearer [object Object]',
  "Bearer ' OR 1=1 --",
  'Bearer gpue_',
  'Bearer __proto__',
  'Bearer K\u00e9',
  'Bearer \u00ff',
  `Bearer ${'x'.repeat(8_192)}`,
  `Bearer K${'x'.repeat(8_192)}`,
];

const changed = (key: string, at: number) => key.slice(0, at) + (key[at] === 'x' ? 'y' : 'x') + key.slice(at + 1);

/** Changes that make a key invalid. */
const near: readonly [name: string, change: (key: string) => string][] = [
  ['with a different last character', (key) => changed(key, key.length - 1)],
  ['with a different first character', (key) => changed(key, 5)],
  ['in lower case', (key) => key.toLowerCase().replace('gpue_', 'GPUE_')],
  ['without its last character', (key) => key.slice(0, -1)],
  ['with an additional character', (key) => `${key}0`],
  ['backwards', (key) => [...key].reverse().join('')],
];

/** Replaces both in one pass, because a key can contain a `U`. */
const filled = (text: string, { key, unknownKey }: Given) =>
  text.replace(/K(?![a-z])|U$/g, (letter) => (letter === 'K' ? key : unknownKey));

export const authorization: readonly Row[] = [
  ...good.map((text) =>
    health(`Authorization: ${JSON.stringify(text)}`, (given) => [['Authorization', filled(text, given)]], accepted),
  ),
  ...bad.map((text) =>
    health(
      `Authorization: ${JSON.stringify(text).slice(0, 60)}`,
      (given) => [['Authorization', filled(text, given)]],
      unauthorized,
    ),
  ),
  ...near.map(([name, change]) =>
    health(`a key ${name}`, ({ key }) => [['Authorization', `Bearer ${change(key)}`]], unauthorized),
  ),
  health('no header', () => [], unauthorized),
  health('the name in capitals', ({ key }) => [['AUTHORIZATION', key]], accepted),
  health('the key in X-Api-Key', ({ key }) => [['X-Api-Key', key]], unauthorized),
  health('the key in Cookie', ({ key }) => [['Cookie', `Authorization=${key}`]], unauthorized),
  health('the key in Proxy-Authorization', ({ key }) => [['Proxy-Authorization', `Bearer ${key}`]], unauthorized),
  {
    name: 'the key in the query',
    request: ({ endpoint, key }) => ({ method: 'GET', path: `/${endpoint}/health?Authorization=${key}`, headers: [] }),
    ...unauthorized,
  },
  {
    name: 'an unknown endpoint without a key, answered like a known endpoint',
    request: () => ({ method: 'GET', path: '/nowhere/health', headers: [] }),
    ...unauthorized,
  },
  {
    name: 'a malformed body without a key, which is not read',
    request: ({ endpoint }) => ({ method: 'POST', path: `/${endpoint}/run`, headers: [], body: '{' }),
    ...unauthorized,
  },
];
