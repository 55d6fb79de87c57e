/**
 * Parsers of the console, which run in the page. Below 1 MB they may read a text at once; above, they pause, so that the
 * page stays responsive.
 */
import { errorsIn } from '../../../console/api/field-errors.ts';
import { chunksIn, largeStreamText, outputsOf } from '../../../console/job/chunks.ts';
import { findMedia } from '../../../console/job/find-media.ts';
import { readJob } from '../../../console/job/job.ts';
import { logTexts } from '../../../console/job/log-text.ts';
import { formatted } from '../../../console/json/format.ts';
import { fitsJavaScript, pythonLiteral } from '../../../console/json/literal.ts';
import { readChildren } from '../../../console/json/slices.ts';
import { htmlOf } from '../../../console/readme/markdown.ts';
import { searchTarget } from '../../../console/shell/search-target.ts';
import { logLimits, payloadLimits } from '../../../core/limits.ts';
import { templateLimits } from '../../../core/templates/limits.ts';
import { between, ofText, type Parser, repeated } from './parser.ts';

const OUTPUT = { size: payloadLimits.output, limit: 'payloadLimits.output' } as const;
const CODE = { size: 100_000, limit: 'LONGEST of the snippets' } as const;
const README = { size: templateLimits.readme, limit: 'templateLimits.readme' } as const;
const TYPED = { size: 10_000, limit: 'text that the user typed' } as const;

export const parsers: readonly Parser[] = [
  ofText(
    'record of a job',
    'console/job/job.ts',
    OUTPUT,
    'empty arrays',
    (size) => between('{"status":"COMPLETED","output":[', '[],', '1]}', size),
    readJob,
  ),
  ofText(
    'JSON view',
    'console/json/slices.ts',
    OUTPUT,
    'nested arrays of numbers',
    (size) => between('[', '[1],', '1]', size),
    (sent) => readChildren(sent, 0, { whole: true }),
  ),
  ofText(
    'JSON view of a string',
    'console/json/slices.ts',
    OUTPUT,
    'escapes',
    (size) => between('["', '\\u0041', '"]', size),
    (sent) => readChildren(sent, 0, { whole: true }),
  ),
  ofText(
    'files in an output',
    'console/job/find-media.ts',
    OUTPUT,
    'strings that could be files',
    (size) => between('[', `"${'A'.repeat(120)}",`, '1]', size),
    (sent) => findMedia(sent),
  ),
  ofText(
    'chunks of a stream',
    'console/job/chunks.ts',
    OUTPUT,
    'empty chunks',
    (size) => between('[', '{"output":1},', '{}]', size),
    chunksIn,
  ),
  {
    parses: 'tokens of a stream',
    file: 'console/job/chunks.ts',
    worst: 'short tokens',
    ...OUTPUT,
    prepare: async (size) => {
      const outputs = outputsOf(await chunksIn(between('[', '{"output":"a"},', '{"output":"b"}]', size)));
      return () => largeStreamText(outputs);
    },
  },
  ofText(
    'code to copy',
    'console/json/literal.ts',
    CODE,
    'quotes',
    (size) => repeated('"\\', size),
    (sent) => fitsJavaScript(sent) || pythonLiteral(sent),
  ),
  ofText('formatted input', 'console/json/format.ts', CODE, 'quotes', (size) => repeated('"\\', size), formatted),
  ofText('readme', 'console/readme/markdown.ts', README, 'opening brackets', (size) => repeated('[', size), htmlOf),
  ofText(
    'readme with emphasis',
    'console/readme/markdown.ts',
    README,
    'asterisks',
    (size) => repeated('*a **', size),
    htmlOf,
  ),
  ofText(
    'lines of a log',
    'console/job/log-text.ts',
    { size: 1_000 * logLimits.message, limit: 'a page of logLimits' },
    'empty arrays in JSON',
    (size) => between('{"message":[', '[],', '1]}', Math.min(size, logLimits.message)),
    (message) =>
      logTexts(
        Array.from({ length: 60 }, () => ({
          time: '2026-01-02T00:00:00Z',
          source: 'worker',
          chosenBy: 'TIME',
          message,
        })),
      ),
  ),
  ofText(
    'error of a form',
    'console/api/field-errors.ts',
    { size: 100_000, limit: 'a message of the service' },
    'quotes without end',
    (size) => repeated('"\\', size),
    (sent) => errorsIn(sent, ['name']),
  ),
  ofText(
    'search field',
    'console/shell/search-target.ts',
    TYPED,
    'commas',
    (size) => `${repeated(',', size)}x`,
    (sent) => searchTarget(sent, []),
  ),
];
