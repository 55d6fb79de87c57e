import { randomUUID } from 'node:crypto';
import { accepted, malformed, type Row, refusedAs } from './row.ts';

const noTemplate = refusedAs(404, 'TEMPLATE_NOT_FOUND');
const noRoute = refusedAs(404, 'ROUTE_NOT_FOUND');
const tooLarge = refusedAs(413, 'PAYLOAD_TOO_LARGE');

const shortened = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

const make = (body: string, expected: Pick<Row, 'status' | 'code'>): Row => ({
  name: `POST /templates ${shortened(body)}`,
  at: 'management',
  request: () => ({ method: 'POST', path: '/templates', body }),
  ...expected,
});

/** Returns the body of a template with an unused name and one more field. */
const withField = (field: string, text: string, expected: Pick<Row, 'status' | 'code'>): Row => ({
  ...make(`{"imageName":"a","name":"${randomUUID()}","${field}":${text}}`, expected),
  name: `${field} ${shortened(text)}`,
});

const withName = (name: string, expected: Pick<Row, 'status' | 'code'>) =>
  make(`{"imageName":"a","name":${JSON.stringify(name)}}`, expected);

/** Strings from lists of inputs that have broken other programs. A suffix makes each unique. */
const naughty = [
  'undefined',
  'null',
  'true',
  '__proto__',
  'constructor',
  '1/0',
  '-1',
  '0x0',
  "' OR 1=1 --",
  '"; DROP TABLE templates',
  '<script>alert(1)</script>',
  '"><svg/onload=alert(1)>',
  '#{7*7}',
  '{{7*7}}',
  '../../etc/passwd',
  '$(touch /tmp/x)',
  '%s%n%p',
  'Ω≈ç√∫˜µ≤',
  '社會科學院',
  'اختبار',
  'Z̮̞̠͙͔ͅà̝͖̣͕l͉̲̟g͎̙͕ọ',
  '👩‍👩‍👧‍👧',
  'ﬀ ß İ ı',
];
const noNames = [
  '',
  ' ',
  '\u200b',
  '\u3000',
  'a\nb',
  'a\tb',
  'a\u0000',
  'a\u001b[31m',
  'a\u2028',
  'x'.repeat(192),
  'ﷺ'.repeat(60),
];

const bodies = [
  ...[
    '',
    ' ',
    'null',
    'true',
    '0',
    '""',
    '[]',
    '{}',
    '{"name":"a"}',
    '{"imageName":"a"}',
    '{',
    "{'name':'a'}",
    '﻿{}',
  ].map((body) => make(body, malformed)),
  make(`{"imageName":"a","name":"${randomUUID()}"}garbage`, malformed),
  make(`{"imageName":"a","name":"${'\\u0061'.repeat(200_000)}"}`, tooLarge),
  make(`{"imageName":"a","name":"${randomUUID()}","x":${'['.repeat(200)}${']'.repeat(200)}}`, malformed),
  make(`{"imageName":"a","name":"x","name":"${randomUUID()}"}`, accepted),
  make(`{"__proto__":{"isPlatform":true},"imageName":"a","name":"${randomUUID()}"}`, accepted),
  make(`{"constructor":{"prototype":{"x":1}},"imageName":"a","name":"${randomUUID()}"}`, accepted),
];

const notNumbers = ['-1', '1e9', '1.5', '"50"', 'null', '[]', 'true', '1e400'];
const wrong: Readonly<Record<string, readonly string[]>> = {
  id: ['"a"', 'null'],
  isPlatform: ['true', 'false'],
  earned: ['0', '1e9'],
  runtimeInMin: ['0'],
  version: ['2'],
  category: ['"nvidia"', '"TPU"', '""', 'null', '0', '[]', '["CPU"]'],
  containerDiskInGb: ['0', ...notNumbers],
  volumeInGb: notNumbers,
  volumeMountPath: ['"workspace"', '"/"', '"/proc"', '"/a/../b"', '"/a\\u0000"', '"\\ud800"', 'null', '[]'],
  containerRegistryAuthId: ['null', '1', '"a b"', '"../a"', '"-a"'],
  dockerEntrypoint: ['"a"', '[1]', '[["a"]]', '["\\u0000"]', '["\\ud800"]', 'null', '{}'],
  dockerStartCmd: ['"a"', '[null]', JSON.stringify(Array.from({ length: 257 }, () => 'a'))],
  env: [
    'null',
    '[]',
    '[["A","1"]]',
    '"A=1"',
    ...[
      'a-b',
      '1A',
      'A=B',
      '',
      ' A',
      'Ａ',
      'LD_PRELOAD',
      'NODE_OPTIONS',
      'AWS_ACCESS_KEY_ID',
      'ECS_A',
      '__proto__',
    ].map((name) => `{"${name}":"1"}`),
    ...['1', 'null', 'true', '["1"]', '{}', '"\\u0000"', '"\\ud800"', '"{{secrets:}}"', '"{{ secrets:A }}"'].map(
      (value) => `{"A":${value}}`,
    ),
    `{"A":"${'x'.repeat(40_000)}"}`,
  ],
  ports: [
    ...[
      '0/http',
      '65536/tcp',
      '80/udp',
      '80',
      '80/http/x',
      '８０/http',
      '80/',
      '/http',
      '-1/http',
      '080/http',
      ' 80/http',
    ].map((port) => `["${port}"]`),
    '"80/http"',
    '[80]',
    '["80/http","80/http"]',
    JSON.stringify(Array.from({ length: 51 }, (_, n) => `${n + 1}/tcp`)),
  ],
  isPublic: ['"true"', '1', 'null'],
  isServerless: ['"true"', '0', 'null', '[]'],
  readme: ['null', '1', '"\\ud800"', JSON.stringify('x'.repeat(102_401))],
  imageName: [
    'null',
    '[]',
    '"a b"',
    '"$(id)"',
    '"../a"',
    '"registry:99999/a"',
    `"${'a'.repeat(256)}"`,
    '"a//b"',
    '"a:"',
  ],
};
const right: Readonly<Record<string, readonly string[]>> = {
  unknown: ['1', 'null', '{"a":[]}'],
  imageName: ['"a"', '"a:b"', `"a@sha256:${'f'.repeat(64)}"`, '"Registry.example:65535/a/b__c-d.e:V1"'],
  containerDiskInGb: ['1', '16000', '5e1', '50.0'],
  volumeInGb: ['0', '-0', '16000'],
  env: ['{}', '{"A":""}', '{"_a1":"line\\nline"}', '{"PATH":"/bin"}', '{"toString":"x","constructor":"y"}'],
  readme: ['"<img src=x onerror=alert(1)>"', '"[a](javascript:alert(1))"', '""'],
};

const ids: readonly [id: string, expected: Pick<Row, 'status' | 'code'>][] = [
  ['unknown', noTemplate],
  ['..', noTemplate],
  ['%2e%2e', noTemplate],
  ['%2f', noTemplate],
  ['a%00b', noTemplate],
  ['UNKNOWN', noTemplate],
  ["'%20OR%201=1", noTemplate],
  ['__proto__', noTemplate],
  ['{template}', noTemplate],
  ['x'.repeat(5_000), noTemplate],
  ['%', malformed],
  ['a/b', noRoute],
  ['', noRoute],
];
const paths = ids.flatMap(([id, expected]): Row[] =>
  ['GET', 'DELETE'].map((method) => ({
    name: `${method} /templates/${shortened(id)}`,
    at: 'management',
    request: () => ({ method, path: `/templates/${id}` }),
    ...expected,
  })),
);

const rows = (fields: Readonly<Record<string, readonly string[]>>, expected: Pick<Row, 'status' | 'code'>) =>
  Object.entries(fields).flatMap(([field, texts]) => texts.map((text) => withField(field, text, expected)));

export const templates: readonly Row[] = [
  ...naughty.map((name) => withName(`${name} ${randomUUID()}`, accepted)),
  ...noNames.map((name) => withName(name, malformed)),
  ...bodies,
  ...rows(wrong, malformed),
  ...rows(right, accepted),
  ...paths,
];
