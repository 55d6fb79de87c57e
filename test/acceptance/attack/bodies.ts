/** Generates request bodies: valid, invalid, and bytes that are not JSON. */
import fc from 'fast-check';
import type { Operation } from '../../../core/operations/routes.ts';
import { refusedUrls } from '../../webhooks/egress/hostile-urls.ts';

const json = fc.json({ maxDepth: 3 });
/** Values that are invalid in nearly every field. */
const oddValues = [
  'null',
  'true',
  '0',
  '-0',
  '1e400',
  '-1e400',
  '1E-400',
  '9007199254740993',
  '12345678901234567890123456789012345678901234567890',
  '0.1',
  '-1',
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udfff\\ud800"',
  '"\\u202e"',
  '[]',
  '[[]]',
  '{}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toJSON":1,"then":1,"length":-1}',
  '{"$ref":"#"}',
  '{"S":"x"}',
  `"${'x'.repeat(5_000)}"`,
];
const oddValue = fc.oneof(fc.constantFrom(...oddValues), json);

const member = (name: string, value: fc.Arbitrary<string>) => value.map((text) => `${JSON.stringify(name)}:${text}`);
const maybe = (weight: number, value: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 10 - weight, arbitrary: fc.constant('') }, { weight, arbitrary: value });
const rightOr = (right: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 12, arbitrary: right }, { weight: 1, arbitrary: oddValue });
const objectOf = (...members: fc.Arbitrary<string>[]) =>
  fc.tuple(...members).map((texts) => `{${texts.filter(Boolean).join(',')}}`);
const quoted = (text: string) => JSON.stringify(text);
const oneOf = (...texts: string[]) => fc.constantFrom(...texts);

/** Placeholder for the port of the trap, with the same number of digits. */
export const TRAP = '11111';
const trapHosts = ['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0.0.0.0', '[::1]', '[::ffff:127.0.0.1]'];
/** Host names that validation accepts, because it does not resolve them. */
const trapNames = ['localhost', 'localhost.', 'LOCALHOST'];
const trapUrls = (hosts: readonly string[]) => hosts.map((host) => `http://${host}:${TRAP}/`);
const webhook = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...refusedUrls, ...trapUrls(trapHosts)).map(quoted) },
  { weight: 2, arbitrary: fc.constantFrom(...trapUrls(trapNames)).map(quoted) },
  {
    weight: 1,
    arbitrary: fc.webUrl({ authoritySettings: { withIPv4: true, withIPv6: true } }).map((url) => quoted(`${url}#`)),
  },
);

const policy = objectOf(
  maybe(5, member('ttl', rightOr(oneOf('10000', '60000', '9999')))),
  maybe(5, member('executionTimeout', rightOr(oneOf('5001', '60000', '5000')))),
  maybe(3, member('lowPriority', rightOr(oneOf('true', 'false')))),
);
const s3Config = objectOf(
  maybe(8, member('accessId', rightOr(oneOf('"id"')))),
  maybe(8, member('accessSecret', rightOr(oneOf('"secret"')))),
  maybe(5, member('endpointUrl', rightOr(oneOf('"http://169.254.169.254/"')))),
);
/**
 * Inputs of jobs that take almost no time, also after `changed`: a number of chunks could become infinite, and the only
 * worker of the endpoint would run that job for ten minutes.
 */
const input = oneOf(
  '{}',
  '{"n":1}',
  '{"op":"fail"}',
  '{"op":"print","lines":["a","b"]}',
  '{"op":"stream"}',
  '{"op":"constructor"}',
  '{"__proto__":{"op":"fail"}}',
);
const submission = objectOf(
  member('input', rightOr(input)),
  maybe(3, member('policy', rightOr(policy))),
  maybe(2, member('webhook', rightOr(webhook))),
  maybe(1, member('s3Config', rightOr(s3Config))),
  maybe(
    2,
    fc.tuple(fc.string({ maxLength: 8 }), oddValue).map(([name, value]) => `${quoted(name)}:${value}`),
  ),
);

const rightFields: readonly string[] = [
  '"category":"CPU"',
  '"containerDiskInGb":20',
  '"containerRegistryAuthId":""',
  '"dockerEntrypoint":["sh"]',
  '"dockerStartCmd":["-c","true"]',
  '"env":{"A":"1"}',
  '"isPublic":true',
  '"isServerless":true',
  '"ports":["8080/http"]',
  '"readme":"<script>alert(1)</script>"',
  '"volumeInGb":0',
  '"volumeMountPath":"/data"',
  '"owner":"platform"',
];
const wrongFields: readonly string[] = [
  '"category":"GPU"',
  '"containerDiskInGb":16001',
  '"containerRegistryAuthId":"../env/HF_TOKEN"',
  '"containerRegistryAuthId":"hub"',
  '"env":{"A":"{{secrets:HF_TOKEN}}"}',
  '"env":{"AWS_REGION":"x"}',
  '"env":{"LD_PRELOAD":"x"}',
  '"env":{"__proto__":"x"}',
  '"ports":["80/http","80/tcp"]',
  '"volumeInGb":-1',
  '"volumeMountPath":"/proc"',
  '"volumeMountPath":"/a/../etc"',
  '"id":"echo"',
  '"isPlatform":true',
];
const field = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...rightFields) },
  { weight: 1, arbitrary: fc.constantFrom(...wrongFields) },
  { weight: 1, arbitrary: fc.constantFrom(...rightFields).chain((text) => member(nameIn(text), oddValue)) },
);
const nameIn = (text: string) => text.slice(1, text.indexOf('"', 1));
const templateName = fc.uuid().map((id) => quoted(`attack ${id}`));
const named = [
  member(
    'name',
    rightOr(fc.oneof({ weight: 12, arbitrary: templateName }, { weight: 1, arbitrary: oneOf('"Echo"', '"same"') })),
  ),
  member(
    'imageName',
    rightOr(
      fc.oneof(
        { weight: 8, arbitrary: oneOf('"team/image:1"') },
        { weight: 1, arbitrary: oneOf('"UPPER"', '"../x"', '"a@sha256:0"') },
      ),
    ),
  ),
];
const someFields = fc.array(field, { maxLength: 3 }).map((texts) => texts.join(','));
const creation = objectOf(...named, someFields);
const update = objectOf(...named.map((each) => maybe(3, each)), someFields);

/** The endpoint of the attacker has revision 1. */
const rollback = objectOf(
  member('revision', rightOr(oneOf('1', '1', '1', '2', '0', '2147483648'))),
  maybe(3, member('reason', rightOr(oneOf('"slow"')))),
);

const deep = (open: string, close: string, times: number) => open.repeat(times) + close.repeat(times);
const text = (body: string) => Buffer.from(body);

/** Strings that parsers often handle wrongly. */
const oddTexts = [
  '',
  ' ',
  '\n',
  '{',
  '}',
  '[',
  '{"input"',
  '{"input":',
  '{"input":{}',
  '{"input":{}}}',
  '{"input":{}}{"input":{}}',
  '{"input":{},}',
  "{'input':{}}",
  '{input:{}}',
  '{"input":{}}//',
  '{"input":NaN}',
  '{"input":Infinity}',
  '{"input":undefined}',
  '{"input":01}',
  '{"input":{"a":1,"a":2}}',
  '{"input":{},"input":[]}',
  '{"input":[],"input":{}}',
  '{"input":{},"policy":{"ttl":10000,"ttl":1}}',
  '{"\\u0069nput":{}}',
  '{"input\\u0000":{}}',
  '{"__proto__":{"input":{}}}',
  '{"__proto__":null,"input":{}}',
  '{"constructor":{"prototype":{"input":{}}},"input":{}}',
  '{"input":{"x":"\\ud800"}}',
  '{"input":{"\\u0000":"\\u0000"}}',
  '{"input":{"x":"\u2028\u2029"}}',
  '{"input":{"x":"\t"}}',
  '\ufeff{"input":{}}',
  '{"input":{}}\0',
  '\0{"input":{}}',
  '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
  'input=1&policy=2',
  '--boundary\r\nContent-Disposition: form-data; name="input"\r\n\r\n{}\r\n--boundary--',
  deep('[', ']', 10_000),
  deep('{"a":', '}', 10_000),
  `{"input":${deep('[', ']', 200_000)}}`,
  `{"input":${deep('{"input":', '}', 5_000)}}`,
  `{"input":{"a":${'9'.repeat(100_000)}}}`,
  `{"input":{${Array.from({ length: 5_000 }, (_, n) => `"k${n}":${n}`).join(',')}}}`,
  `{"input":{"x":"${'\\u0000'.repeat(5_000)}"}}`,
  `{"input":{"x":"${'x'.repeat(200_000)}"}}`,
  `{"name":"${'x'.repeat(50_000)}","imageName":"a"}`,
  `{"name":"a","imageName":"a","readme":"${'é'.repeat(60_000)}"}`,
  `{"name":"a","imageName":"a","env":{${Array.from({ length: 300 }, (_, n) => `"K${n}":"v"`).join(',')}}}`,
];
/** Bytes that are not UTF-8. */
const oddBytes = [
  Buffer.from([0xff]),
  Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from([0xed, 0xa0, 0x80]),
  Buffer.from('{"input":{}}', 'utf16le'),
  Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('{"input":{}}', 'utf16le')]),
  Buffer.concat([text('{"input":{"x":"'), Buffer.from([0x80, 0xbf, 0xfe]), text('"}}')]),
  // The first bytes of gzip output.
  Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 3]),
];
/** Bodies near the size limits of a function's event and of the gateway. Only a few requests have such a large body. */
const largeBodies = [1, 6, 10.5].map((megabytes) => text(`{"input":{"x":"${'x'.repeat(megabytes * 1024 * 1024)}"}}`));

/** Generates valid JSON with one change. */
function changed(right: fc.Arbitrary<string>): fc.Arbitrary<Buffer> {
  const inserted = fc.constantFrom(
    '"',
    '{',
    '}',
    '[',
    ',',
    ':',
    '\\',
    '\0',
    '\u{1f600}',
    '\ud800',
    '-',
    '1e999',
    'null',
  );
  return fc.tuple(right, fc.nat(), fc.oneof(inserted, fc.constant(undefined))).map(([body, n, more]) => {
    const at = n % (body.length + 1);
    return text(more === undefined ? body.slice(0, at) : body.slice(0, at) + more + body.slice(at));
  });
}

const rights: Partial<Record<string, fc.Arbitrary<string>>> = {
  run: submission,
  runsync: submission,
  openai: fc.constantFrom('{"model":"m"}', '{"messages":[{"role":"user","content":"\\ud83d"}]}', '{}'),
  'create-template': creation,
  'update-template': update,
  rollback,
};

const odd: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 500, arbitrary: fc.constantFrom(...oddTexts).map(text) },
  { weight: 100, arbitrary: fc.constantFrom(...oddBytes) },
  { weight: 200, arbitrary: json.map(text) },
  { weight: 100, arbitrary: fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 2, arbitrary: fc.constantFrom(...largeBodies) },
);

/** Generates bodies for an operation. Most operations read no body. */
export function bodyFor(operation: Operation | 'openapi' | undefined): fc.Arbitrary<Buffer> {
  const right = rights[operation ?? ''];
  if (!right) return fc.oneof({ weight: 8, arbitrary: fc.constant(Buffer.alloc(0)) }, { weight: 1, arbitrary: odd });
  return fc.oneof(
    { weight: 6, arbitrary: right.map(text) },
    { weight: 2, arbitrary: changed(right) },
    { weight: 3, arbitrary: odd },
  );
}
