/** Bodies of requests and responses: how JSON is read, what of it is parsed, what is held of it in memory, and for how long. */
import type { Mutant } from './mutant.ts';

const SCAN = 'test/core/json-scan.test.ts';
const JSON_TEXT = 'test/core/json.test.ts';
const SUBMISSION = 'test/core/submission.test.ts';
const READER = 'test/core/request-body.test.ts';

const HTTP_STREAM = 'test/lambda/http-stream.test.ts';
const MEMORY = 'test/memory/bodies.long.ts';

const READ_ALIKE = 'members that JSON.parse finds';

const jsonMutants: readonly Mutant[] = [
  {
    name: 'a number in a body begins with zeros',
    file: 'core/json-scan.ts',
    replace: 'bytes[at] === ZERO ? at + 1 : afterDigits(bytes, at)',
    by: 'afterDigits(bytes, at)',
    test: SCAN,
    named: READ_ALIKE,
  },
  {
    name: 'a number in a body ends with its point',
    file: 'core/json-scan.ts',
    replace: "  if (at === start) throw fault(bytes, at, 'a digit');\n",
    by: '',
    test: SCAN,
    named: 'one number or string more',
  },
  {
    name: 'a body has more behind its end',
    file: 'core/json-scan.ts',
    replace: "  if (at < bytes.length) throw fault(bytes, at, 'nothing more');\n",
    by: '',
    test: SCAN,
    named: READ_ALIKE,
  },
  {
    name: 'a bracket in a body is closed by the other kind',
    file: 'core/json-scan.ts',
    replace: 'depth > 0 && bytes[at] === closers[depth - 1]',
    by: 'depth > 0 && (bytes[at] === 0x5d || bytes[at] === 0x7d)',
    test: SCAN,
    named: 'brackets, commas and white space',
  },
  {
    name: 'a string in a body has control characters',
    file: 'core/json-scan.ts',
    replace: 'else if (byte >= SPACE) at += 1;',
    by: 'else if (byte > 0) at += 1;',
    test: SCAN,
    named: READ_ALIKE,
  },
  {
    name: 'an escape in a body has the digit g',
    file: 'core/json-scan.ts',
    replace: 'small <= 0x66',
    by: 'small <= 0x67',
    test: SCAN,
    named: 'one number or string more',
  },
  {
    name: 'white space of a body has no carriage return',
    file: 'core/json-scan.ts',
    replace: ' && byte !== CARRIAGE_RETURN) return at;',
    by: ') return at;',
    test: SCAN,
    named: 'brackets, commas and white space',
  },
  {
    name: 'elements lie one level too deep',
    file: 'core/json-scan.ts',
    replace: '      at = afterScalar(bytes, at);\n      if (depth === 1)',
    by: '      at = afterScalar(bytes, at);\n      if (depth > 0)',
    test: SCAN,
    named: 'elements of an array',
  },
  {
    name: 'a body that is not UTF-8 is read',
    file: 'core/json.ts',
    replace: '  assertUtf8(bytes);\n',
    by: '',
    test: SCAN,
    named: 'not UTF-8',
  },
  {
    name: 'the first of equal names counts',
    file: 'core/json.ts',
    replace: 'if (name !== undefined) members.set',
    by: 'if (name !== undefined && !members.has(name)) members.set',
    test: JSON_TEXT,
    named: 'takes the last of equal names',
  },
  {
    name: 'an escaped name is not the name',
    file: 'core/json.ts',
    replace: 'if (character === BACKSLASH) {',
    by: 'if (character === undefined) {',
    test: JSON_TEXT,
    named: 'written with escapes',
  },
];

const fieldMutants: readonly Mutant[] = [
  ...['policy', 's3Config', 'webhook'].map((field) => ({
    name: `a ${field} of any size is parsed`,
    file: 'core/jobs/submission.ts',
    replace: `body.smallValue('${field}')`,
    by: `body.value('${field}')`,
    test: SUBMISSION,
    named: `above 65,536 bytes, by its name alone: ${field}`,
  })),
  {
    name: 'a field of just 64 KB is refused',
    file: 'core/json.ts',
    replace: 'length > payloadLimits.field',
    by: 'length >= payloadLimits.field',
    test: SUBMISSION,
    named: 'above 65,536 bytes',
  },
];

const readerMutants: readonly Mutant[] = [
  {
    name: 'a body of a large Content-Length is read to the limit',
    file: 'core/http/request-body.ts',
    replace: '    if (declared !== undefined) assertBodyFits(operation, declared);\n',
    by: '',
    test: READER,
    named: 'above the limit before it reads',
  },
  {
    name: 'a body of unknown length has no limit',
    file: 'core/http/request-body.ts',
    replace: '        assertBodyFits(operation, collected.length + chunk.length, false);\n',
    by: '',
    test: READER,
    named: 'first byte above the limit',
  },
  {
    name: 'a body that outgrows its buffer loses its beginning',
    file: 'core/http/request-body.ts',
    replace: '      this.#buffer.copy(larger, 0, 0, this.#length);\n',
    by: '',
    test: READER,
    named: 'with the Content-Length undefined',
  },
  {
    name: 'a refused body is read on',
    file: 'core/http/request-body.ts',
    replace: "request.on('error', ignore).pause();",
    by: "request.on('error', ignore);",
    test: READER,
    named: 'first byte above the limit',
  },
  {
    name: 'a body may pause for as long as its average allows',
    file: 'core/http/pace.ts',
    replace: 'Math.min(stall, stall + (bytes / rate) * 1_000 - elapsed)',
    by: 'stall + (bytes / rate) * 1_000 - elapsed',
    test: READER,
    named: 'nothing has come for 20 s',
  },
  {
    name: 'a body may pause for half as long',
    file: 'core/http/pace.ts',
    replace: 'Math.min(stall, stall + (bytes / rate) * 1_000 - elapsed)',
    by: 'Math.min(stall / 2, stall + (bytes / rate) * 1_000 - elapsed)',
    test: READER,
    named: 'nothing has come for 20 s',
  },
  {
    name: 'a body may come a byte at a time',
    file: 'core/http/pace.ts',
    replace: 'Math.min(stall, stall + (bytes / rate) * 1_000 - elapsed)',
    by: 'stall',
    test: READER,
    named: 'below the rate',
  },
  {
    name: 'a body that came keeps its timer',
    file: 'core/http/request-body.ts',
    replace: '  return promise.finally(() => {\n    clearTimeout(timer);\n',
    by: '  return promise.finally(() => {\n',
    test: READER,
    named: 'read at the rate',
  },
  {
    name: 'a body that fails keeps its share of the budget',
    file: 'core/http/request-body.ts',
    replace: '      share.release();\n      throw error;',
    by: '      throw error;',
    test: READER,
    named: 'the memory of a process',
  },
  {
    name: 'a body that grows counts twice',
    file: 'core/http/memory.ts',
    replace: 'const more = bytes - share;',
    by: 'const more = bytes;',
    test: READER,
    named: 'as it grows',
  },
  {
    name: 'a body that is released twice counts twice',
    file: 'core/http/request.ts',
    replace: '    if (!this.#bytes) return;\n',
    by: '',
    test: READER,
    named: 'is released once',
  },
];

const responseMutants: readonly Mutant[] = [
  {
    name: 'a web page does not learn when to ask again',
    file: 'core/http/respond.ts',
    replace: "'Access-Control-Expose-Headers': 'Retry-After, X-Job-Id'",
    by: "'Access-Control-Expose-Headers': 'X-Job-Id'",
    test: 'test/lambda/http.test.ts',
    named: 'web pages of one origin',
  },
  {
    name: 'an error goes without the record of its job',
    file: 'core/http/respond.ts',
    replace: '{ ...record, error: message',
    by: '{ error: message',
    test: HTTP_STREAM,
    named: 'and its record',
  },
  {
    name: 'an answer in time leaves its timer behind',
    file: 'core/http/body.ts',
    replace: '.finally(() => clearTimeout(timer));',
    by: ';',
    test: HTTP_STREAM,
    named: 'leaves no timer behind',
  },
  {
    name: 'a response in pieces has its status before its first piece',
    file: 'core/http/body.ts',
    replace: 'const first = await iterator.next();',
    by: "const first = { done: false, value: ' ' } as IteratorYieldResult<string>;",
    test: HTTP_STREAM,
    named: 'has the status of what fails before the first',
  },
];

/** What takes memory that nothing but a measurement shows. */
const memoryMutants: readonly Mutant[] = [
  {
    name: 'a large output becomes a text on its way',
    file: 'core/http/respond.ts',
    replace: "typeof json === 'string' ? [Buffer.from(json)] : json.bytes",
    by: '[Buffer.from(String(json))]',
    test: MEMORY,
    named: 'keeps an output',
  },
  {
    name: 'a large input becomes a text on its way',
    file: 'core/jobs/payload.ts',
    replace: 'await objects.write(object, text);',
    by: 'await objects.write(object, Buffer.from(decoded(text)));',
    test: MEMORY,
    named: 'keeps a body',
  },
  {
    name: 'a body is parsed into a tree of values',
    file: 'core/jobs/submission.ts',
    replace: '  const input = inputIn(body);\n',
    by: '  const input = inputIn(body);\n  JSON.parse(new TextDecoder().decode(input));\n',
    test: MEMORY,
    named: 'keeps a body',
  },
];

export const bodyMutants: readonly Mutant[] = [
  ...jsonMutants,
  ...fieldMutants,
  ...readerMutants,
  ...responseMutants,
  ...memoryMutants,
];
