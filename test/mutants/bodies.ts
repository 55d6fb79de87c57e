/** Mutants of the bodies of requests and responses: their parsing, and the memory that they use. */
import { type Mutant, mutant } from './mutant.ts';

const SCAN = 'test/json/scan.test.ts';
const JSON_TEXT = 'test/json/json.test.ts';
const SUBMISSION = 'test/submission/request.test.ts';
const READER = 'test/ingress/request-body.test.ts';

const HTTP_STREAM = 'test/lambda/http-stream.test.ts';
const MEMORY = 'test/memory/bodies.long.ts';

const READ_ALIKE = 'members that JSON.parse finds';

const jsonMutants: readonly Mutant[] = [
  mutant('a bracket in a body is closed by the other kind')
    .replace(
      'core/json/scan.ts',
      'depth > 0 && bytes[at] === closers[depth - 1]',
      'depth > 0 && (bytes[at] === 0x5d || bytes[at] === 0x7d)',
    )
    .killedBy(SCAN, 'brackets, commas and white space'),
  mutant('a string in a body has control characters')
    .replace('core/json/scan.ts', 'else if (byte >= SPACE) at += 1;', 'else if (byte > 0) at += 1;')
    .killedBy(SCAN, READ_ALIKE),
  mutant('an escape in a body has the digit g')
    .replace('core/json/scan.ts', 'small <= 0x66', 'small <= 0x67')
    .killedBy(SCAN, 'with another number or string'),
  mutant('a nested value counts as a member of the body')
    .replace(
      'core/json/scan.ts',
      '      if (at < 0) at = yield* restOfString(bytes, ~at);\n      if (depth === 1)',
      '      if (at < 0) at = yield* restOfString(bytes, ~at);\n      if (depth > 0)',
    )
    .killedBy(SCAN, 'elements of an array'),
  mutant('the first of two equal names wins')
    .replace(
      'core/json/json.ts',
      'if (name !== undefined) members.set',
      'if (name !== undefined && !members.has(name)) members.set',
    )
    .killedBy(JSON_TEXT, 'is that of the last member if names are equal'),
  mutant('an escaped name is not recognized')
    .replace('core/json/json.ts', 'if (character === BACKSLASH) {', 'if (character === undefined) {')
    .killedBy(JSON_TEXT, 'written with escapes'),
];

const fieldMutants: readonly Mutant[] = [
  ...['policy', 's3Config', 'webhook'].map((field) =>
    mutant(`a ${field} of any size is parsed`)
      .replace('core/submission/request.ts', `body.smallValue('${field}')`, `body.value('${field}')`)
      .killedBy(SUBMISSION, `contains only its name: ${field}`),
  ),
];

const readerMutants: readonly Mutant[] = [
  mutant('a body of unknown length has no limit')
    .remove('ingress/request-body.ts', '        assertBodyFits(operation, collected.length + chunk.length, false);\n')
    .killedBy(READER, 'first byte above the limit'),
  mutant('the rest of a refused body is read')
    .replace('ingress/request-body.ts', "request.on('error', ignore).pause();", "request.on('error', ignore);")
    .killedBy(READER, 'first byte above the limit'),
  mutant('a fast start extends the longest pause of a body')
    .replace(
      'ingress/transfer-limits.ts',
      'Math.min(stall, stall + (bytes / rate) * 1_000 - elapsed)',
      'stall + (bytes / rate) * 1_000 - elapsed',
    )
    .killedBy(READER, '408 after 20 s without data'),
  mutant('a body can pause for only half of the time limit')
    .replace(
      'ingress/transfer-limits.ts',
      'Math.min(stall, stall + (bytes / rate) * 1_000 - elapsed)',
      'Math.min(stall / 2, stall + (bytes / rate) * 1_000 - elapsed)',
    )
    .killedBy(READER, '408 after 20 s without data'),
  mutant('a body can arrive one byte at a time')
    .replace('ingress/transfer-limits.ts', 'Math.min(stall, stall + (bytes / rate) * 1_000 - elapsed)', 'stall')
    .killedBy(READER, 'below the minimum rate'),
  mutant('the memory of a growing body is counted twice')
    .replace('ingress/memory.ts', 'const more = bytes - share;', 'const more = bytes;')
    .killedBy(READER, 'as they arrive'),
];

const responseMutants: readonly Mutant[] = [
  mutant('a web page cannot read Retry-After')
    .replace(
      'core/http/respond.ts',
      "'Access-Control-Expose-Headers': 'Retry-After, X-Job-Id'",
      "'Access-Control-Expose-Headers': 'X-Job-Id'",
    )
    .killedBy('test/lambda/http.test.ts', 'allows web pages of the configured origin to read all'),
  mutant('an error does not contain the record of its job')
    .replace('core/http/respond.ts', '{ ...record, error: message', '{ error: message')
    .killedBy(HTTP_STREAM, 'has the record of a job whose worker is lost after'),
  mutant('a timely response does not clear its timer')
    .replace('core/clock.ts', '.finally(() => clearTimeout(timer));', ';')
    .killedBy(HTTP_STREAM, 'leaves no timer running'),
  mutant('a streamed response sends its status before its first chunk')
    .replace(
      'core/http/body.ts',
      'const first = await iterator.next();',
      "const first = { done: false, value: ' ' } as IteratorYieldResult<string>;",
    )
    .killedBy(HTTP_STREAM, 'has the status of an error that occurs before its first'),
];

/** Mutants that use more memory, which only a measurement shows. */
const memoryMutants: readonly Mutant[] = [
  mutant('a large output is decoded to a string')
    .replace(
      'core/http/respond.ts',
      "typeof json === 'string' ? [Buffer.from(json)] : json.bytes",
      '[Buffer.from(String(json))]',
    )
    .killedBy(MEMORY, 'size of an output'),
  mutant('a large input is decoded to a string')
    .replace(
      'core/jobs/payload.ts',
      'await objects.write(object, text);',
      'await objects.write(object, Buffer.from(decoded(text)));',
    )
    .killedBy(MEMORY, 'size of a body'),
  mutant('a body is parsed into a tree of values')
    .replace(
      'core/submission/request.ts',
      '  const input = inputIn(body);\n',
      '  const input = inputIn(body);\n  JSON.parse(new TextDecoder().decode(input));\n',
    )
    .killedBy(MEMORY, 'size of a body'),
];

export const bodyMutants: readonly Mutant[] = [
  ...jsonMutants,
  ...fieldMutants,
  ...readerMutants,
  ...responseMutants,
  ...memoryMutants,
];
