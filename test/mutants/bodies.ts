/** Bodies of requests and responses: how JSON is read, what of it is parsed, what is held of it in memory, and for how long. */
import { type Mutant, mutant } from './mutant.ts';

const SCAN = 'test/core/json-scan.test.ts';
const JSON_TEXT = 'test/core/json.test.ts';
const SUBMISSION = 'test/core/submission.test.ts';
const READER = 'test/core/request-body.test.ts';

const HTTP_STREAM = 'test/lambda/http-stream.test.ts';
const MEMORY = 'test/memory/bodies.long.ts';

const READ_ALIKE = 'members that JSON.parse finds';

const jsonMutants: readonly Mutant[] = [
  mutant('a number in a body begins with zeros')
    .replace('core/json-scan.ts', 'bytes[at] === ZERO ? at + 1 : afterDigits(bytes, at)', 'afterDigits(bytes, at)')
    .killedBy(SCAN, READ_ALIKE),
  mutant('a number in a body ends with its point')
    .remove('core/json-scan.ts', "  if (at === start) throw fault(bytes, at, 'a digit');\n")
    .killedBy(SCAN, 'one number or string more'),
  mutant('a body has more behind its end')
    .remove('core/json-scan.ts', "  if (at < bytes.length) throw fault(bytes, at, 'the end of the body');\n")
    .killedBy(SCAN, READ_ALIKE),
  mutant('a bracket in a body is closed by the other kind')
    .replace(
      'core/json-scan.ts',
      'depth > 0 && bytes[at] === closers[depth - 1]',
      'depth > 0 && (bytes[at] === 0x5d || bytes[at] === 0x7d)',
    )
    .killedBy(SCAN, 'brackets, commas and white space'),
  mutant('a string in a body has control characters')
    .replace('core/json-scan.ts', 'else if (byte >= SPACE) at += 1;', 'else if (byte > 0) at += 1;')
    .killedBy(SCAN, READ_ALIKE),
  mutant('an escape in a body has the digit g')
    .replace('core/json-scan.ts', 'small <= 0x66', 'small <= 0x67')
    .killedBy(SCAN, 'one number or string more'),
  mutant('white space of a body has no carriage return')
    .replace('core/json-scan.ts', ' && byte !== CARRIAGE_RETURN) return at;', ') return at;')
    .killedBy(SCAN, 'brackets, commas and white space'),
  mutant('elements lie one level too deep')
    .replace(
      'core/json-scan.ts',
      '      at = afterScalar(bytes, at);\n      if (depth === 1)',
      '      at = afterScalar(bytes, at);\n      if (depth > 0)',
    )
    .killedBy(SCAN, 'elements of an array'),
  mutant('a body that is not UTF-8 is read')
    .remove('core/json.ts', '  assertUtf8(bytes);\n')
    .killedBy(SCAN, 'not UTF-8'),
  mutant('the first of equal names counts')
    .replace(
      'core/json.ts',
      'if (name !== undefined) members.set',
      'if (name !== undefined && !members.has(name)) members.set',
    )
    .killedBy(JSON_TEXT, 'takes the last of equal names'),
  mutant('an escaped name is not the name')
    .replace('core/json.ts', 'if (character === BACKSLASH) {', 'if (character === undefined) {')
    .killedBy(JSON_TEXT, 'written with escapes'),
];

const fieldMutants: readonly Mutant[] = [
  ...['policy', 's3Config', 'webhook'].map((field) =>
    mutant(`a ${field} of any size is parsed`)
      .replace('core/submission/request.ts', `body.smallValue('${field}')`, `body.value('${field}')`)
      .killedBy(SUBMISSION, `above 65,536 bytes, by its name alone: ${field}`),
  ),
  mutant('a field of just 64 KB is refused')
    .replace('core/json.ts', 'length > payloadLimits.field', 'length >= payloadLimits.field')
    .killedBy(SUBMISSION, 'above 65,536 bytes'),
];

const readerMutants: readonly Mutant[] = [
  mutant('a body of a large Content-Length is read to the limit')
    .remove('core/http/request-body.ts', '    if (declared !== undefined) assertBodyFits(operation, declared);\n')
    .killedBy(READER, 'above the limit before it reads'),
  mutant('a body of unknown length has no limit')
    .remove('core/http/request-body.ts', '        assertBodyFits(operation, collected.length + chunk.length, false);\n')
    .killedBy(READER, 'first byte above the limit'),
  mutant('a body that outgrows its buffer loses its beginning')
    .remove('core/http/request-body.ts', '      this.#buffer.copy(larger, 0, 0, this.#length);\n')
    .killedBy(READER, 'with the Content-Length undefined'),
  mutant('a refused body is read on')
    .replace('core/http/request-body.ts', "request.on('error', ignore).pause();", "request.on('error', ignore);")
    .killedBy(READER, 'first byte above the limit'),
  mutant('a body may pause for as long as its average allows')
    .replace(
      'core/http/limits.ts',
      'Math.min(stall, stall + (bytes / rate) * 1_000 - elapsed)',
      'stall + (bytes / rate) * 1_000 - elapsed',
    )
    .killedBy(READER, 'nothing has come for 20 s'),
  mutant('a body may pause for half as long')
    .replace(
      'core/http/limits.ts',
      'Math.min(stall, stall + (bytes / rate) * 1_000 - elapsed)',
      'Math.min(stall / 2, stall + (bytes / rate) * 1_000 - elapsed)',
    )
    .killedBy(READER, 'nothing has come for 20 s'),
  mutant('a body may come a byte at a time')
    .replace('core/http/limits.ts', 'Math.min(stall, stall + (bytes / rate) * 1_000 - elapsed)', 'stall')
    .killedBy(READER, 'below the rate'),
  mutant('a body that came keeps its timer')
    .replace(
      'core/http/request-body.ts',
      '  return promise.finally(() => {\n    clearTimeout(timer);\n',
      '  return promise.finally(() => {\n',
    )
    .killedBy(READER, 'read at the rate'),
  mutant('a body that fails keeps its share of the budget')
    .replace('core/http/request-body.ts', '      share.release();\n      throw error;', '      throw error;')
    .killedBy(READER, 'the memory of a process'),
  mutant('a body that grows counts twice')
    .replace('core/http/memory.ts', 'const more = bytes - share;', 'const more = bytes;')
    .killedBy(READER, 'as it grows'),
  mutant('a body that is released twice counts twice')
    .remove('core/http/request.ts', '    if (!this.#bytes) return;\n')
    .killedBy(READER, 'is released once'),
];

const responseMutants: readonly Mutant[] = [
  mutant('a web page does not learn when to ask again')
    .replace(
      'core/http/respond.ts',
      "'Access-Control-Expose-Headers': 'Retry-After, X-Job-Id'",
      "'Access-Control-Expose-Headers': 'X-Job-Id'",
    )
    .killedBy('test/lambda/http.test.ts', 'web pages of one origin'),
  mutant('an error goes without the record of its job')
    .replace('core/http/respond.ts', '{ ...record, error: message', '{ error: message')
    .killedBy(HTTP_STREAM, 'and its record'),
  mutant('an answer in time leaves its timer behind')
    .replace('core/http/body.ts', '.finally(() => clearTimeout(timer));', ';')
    .killedBy(HTTP_STREAM, 'leaves no timer behind'),
  mutant('a response in pieces has its status before its first piece')
    .replace(
      'core/http/body.ts',
      'const first = await iterator.next();',
      "const first = { done: false, value: ' ' } as IteratorYieldResult<string>;",
    )
    .killedBy(HTTP_STREAM, 'has the status of what fails before the first'),
];

/** What takes memory that nothing but a measurement shows. */
const memoryMutants: readonly Mutant[] = [
  mutant('a large output becomes a text on its way')
    .replace(
      'core/http/respond.ts',
      "typeof json === 'string' ? [Buffer.from(json)] : json.bytes",
      '[Buffer.from(String(json))]',
    )
    .killedBy(MEMORY, 'keeps an output'),
  mutant('a large input becomes a text on its way')
    .replace(
      'core/jobs/payload.ts',
      'await objects.write(object, text);',
      'await objects.write(object, Buffer.from(decoded(text)));',
    )
    .killedBy(MEMORY, 'keeps a body'),
  mutant('a body is parsed into a tree of values')
    .replace(
      'core/submission/request.ts',
      '  const input = inputIn(body);\n',
      '  const input = inputIn(body);\n  JSON.parse(new TextDecoder().decode(input));\n',
    )
    .killedBy(MEMORY, 'keeps a body'),
];

export const bodyMutants: readonly Mutant[] = [
  ...jsonMutants,
  ...fieldMutants,
  ...readerMutants,
  ...responseMutants,
  ...memoryMutants,
];
