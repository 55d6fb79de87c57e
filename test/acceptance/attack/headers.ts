/** Generates request headers: keys in several forms, and other headers that proxies and servers act on. */
import fc from 'fast-check';

export type Header = readonly [name: string, value: string];

/** Keys with their relative frequency. A token such as `{key:wide}` stands for the secret of the key. */
const keyNames = {
  /** May call all operations of the attacker's endpoints and all operations of templates. */
  wide: 150,
  /** May call only `run`, `status` and `health` of one endpoint. */
  narrow: 5,
  /** May only read templates. `writer` may also create and change them. */
  reader: 3,
  writer: 6,
  expired: 1,
  revoked: 1,
  unknown: 1,
} as const;
export type KeyName = keyof typeof keyNames;

const key = fc.oneof(
  ...Object.entries(keyNames).map(([name, weight]) => ({ weight, arbitrary: fc.constant(`{key:${name}}`) })),
);

const forms: readonly ((secret: string) => Header[])[] = [
  (secret) => [['Authorization', secret]],
  (secret) => [['authorization', `bearer ${secret}`]],
  (secret) => [['AUTHORIZATION', `BEARER ${secret}`]],
  (secret) => [['Authorization', `Bearer  ${secret}`]],
  (secret) => [['Authorization', `Bearer\t${secret}`]],
  (secret) => [['Authorization', ` Bearer ${secret} `]],
  (secret) => [['Authorization', `Bearer ${secret},Bearer ${secret}`]],
  (secret) => [['Authorization', `Bearer ${secret}x`]],
  (secret) => [['Authorization', `Bearer "${secret}"`]],
  (secret) => [['Authorization', `Basic ${Buffer.from(`:${secret}`).toString('base64')}`]],
  (secret) => [['X-Authorization', `Bearer ${secret}`]],
  (secret) => [['Cookie', `Authorization=Bearer ${secret}`]],
  (secret) => [
    ['Authorization', `Bearer ${secret}`],
    ['Authorization', `Bearer ${secret}`],
  ],
  (secret) => [
    ['Authorization', 'Bearer x'],
    ['Authorization', `Bearer ${secret}`],
  ],
  (secret) => [
    ['Authorization', `Bearer ${secret}`],
    ['Authorization', 'Bearer x'],
  ],
];
const without: readonly Header[][] = [
  [],
  [['Authorization', '']],
  [['Authorization', 'Bearer']],
  [['Authorization', 'Bearer ']],
  [['Authorization', 'Bearer null']],
  [['Authorization', 'Bearer undefined']],
  [['Authorization', 'Bearer *']],
  [['Authorization', 'Bearer __proto__']],
  [['Authorization', `Bearer gpue_${'0'.repeat(38)}`]],
  [['Authorization', `Bearer gpue_${'A'.repeat(10_000)}`]],
  [['Authorization', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.']],
  [['Authorization', 'Bearer \xff\xfe\xe9']],
  [['Authorization', "Bearer ' OR '1'='1"]],
  [['Authorization', 'AWS4-HMAC-SHA256 Credential=AKIA/20300101/us-east-1/execute-api/aws4_request']],
];

export const authorization: fc.Arbitrary<Header[]> = fc.oneof(
  { weight: 30, arbitrary: key.map((secret): Header[] => [['Authorization', `Bearer ${secret}`]]) },
  { weight: 3, arbitrary: fc.tuple(key, fc.constantFrom(...forms)).map(([secret, form]) => form(secret)) },
  { weight: 3, arbitrary: fc.constantFrom(...without) },
);

const idempotencyKeys = [
  'a',
  'b',
  'c',
  'x'.repeat(255),
  'x'.repeat(256),
  '',
  ' ',
  'a b',
  '\t',
  '\xe9',
  '{}',
  '__proto__',
];
const contentTypes = [
  'application/json',
  'application/json; charset=utf-16',
  'application/json;charset=x;charset=y',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'application/xml',
  'application/octet-stream',
  'image/png',
  '',
  ';',
  '*/*',
  'x'.repeat(2_000),
];
const others: readonly Header[] = [
  ['X-API-Key', 'x'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Forwarded-For', '127.0.0.1'],
  ['X-Forwarded-Host', 'evil.invalid'],
  ['X-Original-URL', '/v2/victim/health'],
  ['X-Rewrite-URL', '/v2/victim/health'],
  ['X-Amz-Invocation-Type', 'Event'],
  ['X-Amzn-Trace-Id', 'Root=1;Parent=2;Sampled=1'],
  ['x-amzn-RequestId', 'mine'],
  ['Accept', 'text/html'],
  ['Accept-Encoding', 'gzip, br, zstd'],
  ['Content-Encoding', 'gzip'],
  ['Range', 'bytes=0-0,1-1,2-2'],
  ['If-None-Match', '*'],
  ['Expect', '100-continue'],
  ['Origin', 'null'],
  ['Referer', 'http://127.0.0.1/'],
  ['Cookie', 'a=b; '.repeat(200)],
  ['Connection', 'keep-alive, Authorization'],
  ['Upgrade', 'h2c'],
  ['__proto__', 'x'],
  ['constructor', 'x'],
  ['User-Agent', ''],
  ['User-Agent', '() { :; }; echo'],
  ['X-Long', 'x'.repeat(7_000)],
  ...Array.from({ length: 3 }, (): Header => ['X-Same', 'x']),
];

const value = (name: string, values: readonly string[]): fc.Arbitrary<Header> =>
  fc.constantFrom(...values).map((text) => [name, text]);

const extra = fc.oneof(
  { weight: 3, arbitrary: value('Idempotency-Key', idempotencyKeys) },
  { weight: 3, arbitrary: value('Content-Type', contentTypes) },
  { weight: 4, arbitrary: fc.constantFrom(...others) },
);

export const extraHeaders: fc.Arbitrary<Header[]> = fc.oneof(
  { weight: 100, arbitrary: fc.constant<Header[]>([['Content-Type', 'application/json']]) },
  { weight: 50, arbitrary: fc.array(extra, { maxLength: 5 }) },
  { weight: 1, arbitrary: fc.constant(Array.from({ length: 500 }, (_, n): Header => [`X-${n}`, 'x'])) },
);
