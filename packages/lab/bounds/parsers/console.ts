/**
 * Parsers of the console. The page reads a text of at most 1 MB itself, and gives a larger one to its worker. The parsers
 * of large texts are therefore listed twice: as the page calls them, with the worker as a thread of Node.js, and as the
 * worker runs them.
 */

import { logLimits, payloadLimits } from '../../../../core/limits.ts';
import { templateLimits } from '../../../../core/templates/limits.ts';
import { errorsIn } from '../../../console/api/field-errors.ts';
import { readJob } from '../../../console/job/job.ts';
import { workerError } from '../../../console/job/worker-error.ts';
import { formatted } from '../../../console/json/format.ts';
import { isExact, pythonLiteral } from '../../../console/json/literal.ts';
import { inputOfRequest } from '../../../console/playground/request.ts';
import { openWith } from '../../../console/reading/queue.ts';
import { type ArgumentOf, AT_ONCE, type Name, read, type TextOf } from '../../../console/reading/read.ts';
import { call } from '../../../console/reading/requests.ts';
import { htmlOf } from '../../../console/readme/markdown.ts';
import { searchTargets } from '../../../console/shell/search-target.ts';
import { nodeWorkers } from '../../../console/test/reading/node-worker.ts';
import { between, ofText, type Parser, repeated } from './parser.ts';

const OUTPUT = { size: payloadLimits.output, limit: 'payloadLimits.output' } as const;
const LOG = { size: 1_000 * logLimits.message, limit: 'a page of logLimits' } as const;
const INPUT = { size: AT_ONCE, limit: 'AT_ONCE of the playground' } as const;
const ERROR = { size: 1_000_000, limit: 'MAX_LENGTH of errors' } as const;
const CODE = { size: 100_000, limit: 'MAX_LENGTH of the snippets' } as const;
const README = { size: templateLimits.readme, limit: 'templateLimits.readme' } as const;
const TYPED = { size: 10_000, limit: 'text that the user typed' } as const;

const workers = nodeWorkers();

/** Returns the parser as the page calls it and as the worker runs it. */
function large<N extends Name>(
  name: N,
  about: Pick<Parser, 'parses' | 'file' | 'worst' | 'size' | 'limit'>,
  make: (size: number) => TextOf<N>,
  argument?: ArgumentOf<N>,
  parse: (text: TextOf<N>) => unknown = (text) => read(name, text, argument),
): readonly Parser[] {
  return [
    {
      ...about,
      parses: `${about.parses}, on the page`,
      thread: 'page',
      asked: () => workers.asked.length,
      prepare: async (size) => {
        const text = make(size);
        openWith(workers.open);
        return () => parse(text);
      },
    },
    {
      ...about,
      parses: `${about.parses}, in the worker`,
      thread: 'worker',
      prepare: async (size) => {
        const text = make(size);
        return () => call(name, text, argument);
      },
    },
  ];
}

const numbers = (size: number) => between('[', '[1],', '1]', size);

/** Lines of a log of about this size. */
const lines = (size: number) =>
  Array.from({ length: Math.ceil(size / logLimits.message) }, () => 'x'.repeat(logLimits.message));

export const parsers: readonly Parser[] = [
  ...large(
    'job',
    { parses: 'record of a job', file: 'packages/console/job/record.ts', worst: 'empty arrays', ...OUTPUT },
    (size) => between('{"status":"COMPLETED","output":[', '[],', '1]}', size),
    undefined,
    (text) => readJob(text),
  ),
  ...large(
    'layout',
    { parses: 'JSON view', file: 'packages/console/json/format.ts', worst: 'nested arrays of numbers', ...OUTPUT },
    numbers,
    false,
  ),
  ...large(
    'lines',
    { parses: 'lines of a text', file: 'packages/console/json/display.ts', worst: 'line breaks', ...OUTPUT },
    (size) => between('"', '\\n', '"', size),
  ),
  ...large(
    'media',
    {
      parses: 'files in an output',
      file: 'packages/console/job/find-media.ts',
      worst: 'strings that could be files',
      ...OUTPUT,
    },
    (size) => between('[', `"${'A'.repeat(120)}",`, '1]', size),
  ),
  ...large(
    'file',
    { parses: 'file', file: 'packages/console/job/media.ts', worst: 'URL-safe base64', ...OUTPUT },
    (size) => between('"', 'AA_-', '"', size),
    { start: 0, end: Number.MAX_SAFE_INTEGER, type: 'image/png' },
  ),
  ...large(
    'chunks',
    { parses: 'chunks of a stream', file: 'packages/console/job/chunks.ts', worst: 'empty chunks', ...OUTPUT },
    (size) => between('[', '{"output":1},', '{}]', size),
  ),
  ...large(
    'streamLines',
    { parses: 'stream of chunks', file: 'packages/console/job/chunks.ts', worst: 'small chunks', ...OUTPUT },
    (size) => between('', '{"output":1},', '{}', size),
    'chunks',
  ),
  ...large(
    'streamLines',
    { parses: 'stream of tokens', file: 'packages/console/job/chunks.ts', worst: 'tokens of line breaks', ...OUTPUT },
    (size) => between('', '{"output":"\\n"},', '{"output":"b"}', size),
    'text',
  ),
  ...large(
    'logPage',
    { parses: 'page of a log', file: 'packages/console/job/log-text.ts', worst: 'empty arrays in JSON', ...LOG },
    (size) => {
      const message = between('{"message":[', '[],', '1]}', logLimits.message);
      const line = JSON.stringify({ time: '2026-01-02T00:00:00Z', source: 'worker', chosenBy: 'TIME', message });
      return between('{"lines":[', `${line},`, `${line}]}`, size);
    },
  ),
  ...large(
    'logLines',
    { parses: 'filter of a log', file: 'packages/console/job/log-text.ts', worst: 'long lines that all match', ...LOG },
    lines,
    'x',
  ),
  ofText(
    'input',
    'packages/console/playground/request.ts',
    INPUT,
    'nested arrays of numbers',
    (size) => between('{"input":{"a":[', '[1],', '1]}}', size),
    inputOfRequest,
  ),
  ofText(
    'code to copy',
    'packages/console/json/literal.ts',
    CODE,
    'quotes',
    (size) => repeated('"\\', size),
    (sent) => isExact(sent) || pythonLiteral(sent),
  ),
  ofText(
    'formatted input',
    'packages/console/json/format.ts',
    CODE,
    'quotes',
    (size) => repeated('"\\', size),
    formatted,
  ),
  ofText(
    'readme',
    'packages/console/readme/markdown.ts',
    README,
    'opening brackets',
    (size) => repeated('[', size),
    htmlOf,
  ),
  ofText(
    'readme with emphasis',
    'packages/console/readme/markdown.ts',
    README,
    'asterisks',
    (size) => repeated('*a **', size),
    htmlOf,
  ),
  ofText(
    'error of a form',
    'packages/console/api/field-errors.ts',
    { size: 100_000, limit: 'a message of the service' },
    'quotes without end',
    (size) => repeated('"\\', size),
    (sent) => errorsIn(sent, ['name']),
  ),
  ofText(
    'exception of RunPod’s SDK',
    'packages/console/job/worker-error.ts',
    ERROR,
    'empty arrays',
    (size) => between('{"error_message":[', '[],', '1]}', size),
    workerError,
  ),
  ofText(
    'traceback of Python',
    'packages/console/job/worker-error.ts',
    ERROR,
    'line breaks',
    (size) => between('Traceback (most recent call last)', '\n', 'a: b', size),
    workerError,
  ),
  ofText(
    'search field',
    'packages/console/shell/search-target.ts',
    TYPED,
    'commas',
    (size) => `${repeated(',', size)}x`,
    (sent) => searchTargets(sent, []),
  ),
];
