/** Renders the measurements as tables for docs/explanation/growth.md. The plots show the times. */

import { type Cell, table } from '../../../../bin/pages/aligned-table.ts';
import { placeOf } from '../../../../bin/pages/document-section.ts';
import { type Growth, growthsOf } from './growth.ts';
import { type Dimension, JOBS_EACH, type Measured } from './measure.ts';
import type { Recorded } from './record.ts';

/** The section of docs/explanation/growth.md with the tables. */
export const growthPlace = placeOf(
  'explanation/growth.md',
  'growth',
  'npm run bench -w packages/lab -- growth --record',
);

/** Returns the value, or the values at the smallest and the largest size if they differ. */
function rangeOf(rows: readonly Measured[], name: 'calls' | 'wru' | 'rru' | 'queryRru' | 'sqs'): string {
  const [first, last] = [rows[0]?.[name] ?? 0, rows.at(-1)?.[name] ?? 0];
  return rows.every((row) => row[name] === first) ? String(first) : `${first} to ${last}`;
}

const verdicts = { met: 'met', stated: 'grows', missed: '**missed**' } as const;

/** Formats an exponent without a negative zero. */
const exponent = (value: number) => (Math.round(value * 100) / 100 + 0).toFixed(2);

function growthTable(growths: readonly Growth[]): string {
  return table(
    ['operation', 'calls', 'WRU', 'RRU', 'RRU of queries', 'SQS', 'exponent: calls', 'WRU', 'RRU', ''],
    1,
    growths.map(({ operation, rows, exponents, verdict }): Cell[] => [
      `\`${operation}\``,
      ...(['calls', 'wru', 'rru', 'queryRru', 'sqs'] as const).map((name) => rangeOf(rows, name)),
      ...[exponents.calls, exponents.wru, exponents.rru].map(exponent),
      verdicts[verdict],
    ]),
  );
}

const titles: Readonly<Record<Dimension, string>> = {
  jobs: '## With the number of waiting jobs of one endpoint',
  endpoints: '## With the number of endpoints',
};

/** Returns a sentence for each operation that grows, with its reason. */
const reasonsOf = (growths: readonly Growth[]) =>
  growths
    .filter(({ verdict }) => verdict === 'stated')
    .flatMap(({ operation, reason }) => ['', `\`${operation}\` grows at first: ${reason}`]);

const pictures: Readonly<Record<Dimension, string>> = {
  jobs: '![Ten small plots, one for each operation, of AWS calls, request units and milliseconds by the number of waiting jobs, on logarithmic axes. Calls and units are horizontal lines, except for /requests with a status, which grows until 1,000 jobs.](../diagrams/growth-with-jobs.svg)',
  endpoints:
    '![Ten small plots, one for each operation, of AWS calls, request units and milliseconds by the number of endpoints, on logarithmic axes. Calls and units are horizontal lines.](../diagrams/growth-with-endpoints.svg)',
};

/** @returns Markdown */
export function render({ date, rows }: Recorded): string {
  const parts = (['jobs', 'endpoints'] as const).flatMap((dimension) => {
    const growths = growthsOf(rows, dimension);
    return [titles[dimension], '', pictures[dimension], '', growthTable(growths), ...reasonsOf(growths), ''];
  });
  const meanings = growthsOf(rows, 'jobs').map(({ operation, title }) => [`\`${operation}\``, title]);
  return [
    `Measured on ${date}. With many endpoints, each has ${JOBS_EACH} waiting jobs.`,
    '',
    ...parts,
    '## What is measured?',
    '',
    table(['operation', 'what'], 2, meanings),
  ].join('\n');
}
