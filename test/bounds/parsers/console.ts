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
import { between, type Parser, repeated } from './parser.ts';

const OUTPUT = { size: payloadLimits.output, limit: 'payloadLimits.output' } as const;
const CODE = { size: 100_000, limit: 'LONGEST of the snippets' } as const;
const README = { size: templateLimits.readme, limit: 'templateLimits.readme' } as const;
const TYPED = { size: 10_000, limit: 'text that the user typed' } as const;

const text = (
  parses: string,
  file: string,
  limits: Pick<Parser, 'size' | 'limit'>,
  worst: string,
  make: (size: number) => string,
  parse: (sent: string) => unknown,
): Parser => ({
  parses,
  file: `console/${file}`,
  worst,
  ...limits,
  prepare: async (size) => {
    const sent = make(size);
    return () => parse(sent);
  },
});

export const parsers: readonly Parser[] = [
  text(
    'record of a job',
    'job/job.ts',
    OUTPUT,
    'empty arrays',
    (size) => between('{"status":"COMPLETED","output":[', '[],', '1]}', size),
    readJob,
  ),
  text(
    'JSON view',
    'json/slices.ts',
    OUTPUT,
    'nested arrays of numbers',
    (size) => between('[', '[1],', '1]', size),
    (sent) => readChildren(sent, 0, { whole: true }),
  ),
  text(
    'JSON view of a string',
    'json/slices.ts',
    OUTPUT,
    'escapes',
    (size) => between('["', '\\u0041', '"]', size),
    (sent) => readChildren(sent, 0, { whole: true }),
  ),
  text(
    'files in an output',
    'job/find-media.ts',
    OUTPUT,
    'strings that could be files',
    (size) => between('[', `"${'A'.repeat(120)}",`, '1]', size),
    (sent) => findMedia(sent),
  ),
  text(
    'chunks of a stream',
    'job/chunks.ts',
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
  text(
    'code to copy',
    'json/literal.ts',
    CODE,
    'quotes',
    (size) => repeated('"\\', size),
    (sent) => fitsJavaScript(sent) || pythonLiteral(sent),
  ),
  text('formatted input', 'json/format.ts', CODE, 'quotes', (size) => repeated('"\\', size), formatted),
  text('readme', 'readme/markdown.ts', README, 'opening brackets', (size) => repeated('[', size), htmlOf),
  text('readme with emphasis', 'readme/markdown.ts', README, 'asterisks', (size) => repeated('*a **', size), htmlOf),
  text(
    'lines of a log',
    'job/log-text.ts',
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
  text(
    'error of a form',
    'api/field-errors.ts',
    { size: 100_000, limit: 'a message of the service' },
    'quotes without end',
    (size) => repeated('"\\', size),
    (sent) => errorsIn(sent, ['name']),
  ),
  text(
    'search field',
    'shell/search-target.ts',
    TYPED,
    'commas',
    (size) => `${repeated(',', size)}x`,
    (sent) => searchTarget(sent, []),
  ),
];
