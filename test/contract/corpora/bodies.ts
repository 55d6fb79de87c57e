import { gzipSync } from 'node:zlib';
import { accepted, malformed, type Row, refusedAs } from './row.ts';

type Body = string | Uint8Array;

const DEPTH = 128;
const MB = 1024 * 1024;

const run = (name: string, body: Body, expected: Partial<Row> & Pick<Row, 'status'>, type?: string): Row => ({
  name,
  request: ({ endpoint, key }) => ({
    method: 'POST',
    path: `/${endpoint}/run`,
    headers: [['Authorization', key], ...(type === undefined ? [] : [['Content-Type', type] as const])],
    body,
  }),
  ...expected,
});

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const named = (body: string) => (body.length > 60 ? `${body.slice(0, 60)}…` : body);

/** Bodies that are not JSON, are not an object, or have no object as `input`. */
const wrong = [
  '',
  ' ',
  '\n',
  'null',
  'true',
  'false',
  '0',
  '-0',
  '""',
  '"{\\"input\\":{}}"',
  '[]',
  '[{"input":{}}]',
  '{}',
  '{"Input":{}}',
  '{"input ":{}}',
  '{"input":null}',
  '{"input":[]}',
  '{"input":[{}]}',
  '{"input":"x"}',
  '{"input":"{}"}',
  '{"input":7}',
  '{"input":true}',
  '{"input":{}}garbage',
  '{"input":{}}{"input":{}}',
  '{"input":{}}\n{"input":{}}',
  '{"input":{}},',
  '{"input":{},}',
  '{"input":{}',
  '{"input":{"a"}}',
  '{"input":{"a":}}',
  '{"input":{"a":1,}}',
  '{"input":{"a":01}}',
  '{"input":{"a":+1}}',
  '{"input":{"a":.5}}',
  '{"input":{"a":1.}}',
  '{"input":{"a":0x1}}',
  '{"input":{"a":NaN}}',
  '{"input":{"a":Infinity}}',
  '{"input":{"a":undefined}}',
  '{"input":{"a":1_000}}',
  '{"input":{"a":10n}}',
  '{"input":{"a":"\t"}}',
  '{"input":{"a":"\u0000"}}',
  '{"input":{"a":"\\x41"}}',
  '{"input":{"a":"\\u12"}}',
  '{"input":{/* a */}}',
  '{"input":{} // a\n}',
  "{'input':{}}",
  '{input:{}}',
  '<input/>',
  'input=%7B%7D',
  '\ufeff{"input":{}}',
  '{"input":{}}\u0000',
  `{"input":{"a":${nested(DEPTH - 1)}}}`,
  `{"input":${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}}`,
  `{"input":${'['.repeat(1_000_000)}`,
  `{"input":${nested(1_000_000)}}`,
  `{"input":{},"x":${nested(DEPTH)}}`,
];

/** Inputs that are returned byte for byte, including white space between tokens. */
const kept = [
  '{}',
  '{ }',
  '{"n":12345678901234567890,"e":1e400,"z":-0,"f":1.0,"g":1E+2}',
  '{"z":1,"a":2,"10":3,"9":4}',
  '{"a":1,"a":2}',
  '{"s":"\\ud800","t":"\\udc00\\ud800","u":"\\u00e9é\\/"}',
  '{"s":"\\u0000\\u001f\\u007f"}',
  '{"":"","\\u0000":1,"a\\"b":"c\\\\"}',
  '{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}}}',
  '{"s":"😀 \u2028 \u2029 \ufeff"}',
  '{"a" : [ 1 ,\t2 ] , "b":{ "c" : null } }',
  `{"a":${nested(DEPTH - 2)}}`,
  `{"${'k'.repeat(10_000)}":1}`,
  `{${Array.from({ length: 1_000 }, () => '"same":1').join(',')}}`,
];

const manyKeys = Array.from({ length: 400_000 }, (_, n) => `"k${n}":0`).join(',');
const lone = Buffer.concat([Buffer.from('{"input":{"s":"'), Buffer.from([0xff, 0xc0]), Buffer.from('"}}')]);

export const bodies: readonly Row[] = [
  ...wrong.map((body) => run(named(body), body, malformed)),
  ...kept.map((input) => run(`input ${named(input)}`, `{"input":${input}}`, { ...accepted, output: input })),
  run('two inputs: the last one counts', '{"input":{"a":1},"input":{"b":2}}', { ...accepted, output: '{"b":2}' }),
  run('an input whose name is escaped', '{"\\u0069nput":{"a":1}}', { ...accepted, output: '{"a":1}' }),
  run('white space around the body', ' \r\n\t{ "input" : {"a":1} }\n ', { ...accepted, output: '{"a":1}' }),
  run('unknown fields', '{"input":{},"id":"x","status":"COMPLETED","output":1,"owner":"eve"}', accepted),
  run('__proto__ at the top level', '{"__proto__":{"input":{}},"input":{}}', accepted),
  run('an input only in __proto__', '{"__proto__":{"input":{}}}', malformed),
  run('a webhook that is not a URL', '{"input":{},"webhook":"example.com/hook"}', malformed),
  run('400,000 keys', `{"input":{${manyKeys}}}`, accepted),
  run('one key 100,000 times', `{"input":{${'"k":0,'.repeat(99_999)}"k":0}}`, accepted),
  run('a key of 1 MB', `{"input":{"${'k'.repeat(MB)}":0}}`, accepted),
  run('a string of 5.9 MB', `{"input":{"a":"${'x'.repeat(5_900_000)}"}}`, accepted),
  run('11 MB', `{"input":{"a":"${'x'.repeat(11 * MB)}"}}`, refusedAs(413, 'PAYLOAD_TOO_LARGE')),
  run('bytes that are not UTF-8, which are replaced', lone, accepted),
  run('UTF-16', Buffer.from('{"input":{}}', 'utf16le'), malformed),
  run(
    'UTF-16 with its byte order mark',
    Buffer.from('\ufeff{"input":{}}', 'utf16le'),
    malformed,
    'application/json; charset=utf-16',
  ),
  run('gzip', gzipSync('{"input":{}}'), malformed),
  ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'nonsense', ''].map(
    (type) => run(`JSON under the content type ${JSON.stringify(type)}`, '{"input":{}}', accepted, type),
  ),
];
