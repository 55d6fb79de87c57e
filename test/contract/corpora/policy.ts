import { accepted, malformed, type Row } from './row.ts';

const DAY = 86_400_000;

const run = (field: string, text: string, expected: Pick<Row, 'status' | 'code'>): Row => ({
  name: `${field} ${text}`,
  request: ({ endpoint }) => ({
    method: 'POST',
    path: `/${endpoint}/run`,
    body: `{"input":{},"${field}":${text}}`,
  }),
  ...expected,
});

const good = [
  '{}',
  '{"ttl":10000}',
  '{"ttl":1e4}',
  '{"ttl":10000.0}',
  `{"ttl":${7 * DAY}}`,
  '{"executionTimeout":5001}',
  `{"executionTimeout":${7 * DAY}}`,
  '{"lowPriority":false}',
  '{"unknown":[1]}',
  '{"__proto__":{"ttl":1}}',
  '{"ttl":1,"ttl":10000}',
];

const notATime = ['"10000"', 'null', '[]', '[10000]', '{}', 'true', '""', '-1', '-10000', '0', '1e21', '1e400'];
const bad = [
  ...[...notATime, '9999', '10000.5', '9999.999', String(7 * DAY + 1)].map((value) => `{"ttl":${value}}`),
  ...[...notATime, '5000', '5000.5', '9007199254740992', '"6000"', String(7 * DAY + 1)].map(
    (value) => `{"executionTimeout":${value}}`,
  ),
  ...['"true"', '1', '0', 'null', '[]', '""'].map((value) => `{"lowPriority":${value}}`),
  'null',
  '[]',
  '[{}]',
  '"x"',
  '7',
  'true',
];

const settings = ['{}', '{"accessId":"a","accessSecret":"b","bucketName":"c","endpointUrl":"d"}', '{"more":[1]}'];
const noSettings = [
  'null',
  '[]',
  '"x"',
  '7',
  'true',
  '{"accessId":1}',
  '{"accessSecret":null}',
  '{"bucketName":["a"]}',
];

export const policy: readonly Row[] = [
  ...good.map((text) => run('policy', text, accepted)),
  ...bad.map((text) => run('policy', text, malformed)),
  ...settings.map((text) => run('s3Config', text, accepted)),
  ...noSettings.map((text) => run('s3Config', text, malformed)),
];
