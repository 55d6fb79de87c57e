/** Renders the measurements as a table for docs/explanation/performance.md. The plots show the times. */

import { type Cell, table } from '../../../../bin/pages/aligned-table.ts';
import { placeOf } from '../../../../bin/pages/document-section.ts';
import { type Growth, growthsOf, worstOf } from './growth.ts';
import { JOBS_EACH, type Measured } from './measure.ts';
import type { Recorded } from './record.ts';

/** The section of docs/explanation/performance.md with the table. */
export const growthPlace = placeOf(
  'explanation/performance.md',
  'growth',
  'npm run bench -w packages/lab -- growth --record',
);

/** Returns the value, or the smallest and the largest value if they differ. */
function rangeOf(rows: readonly Measured[], name: 'calls' | 'wru' | 'rru' | 'sqs'): string {
  const values = rows.map((row) => row[name]);
  const [min, max] = [Math.min(...values), Math.max(...values)];
  return min === max ? String(min) : `${min} to ${max}`;
}

function exponentCell(growth: Growth | undefined): string {
  if (!growth) return '';
  const text = worstOf(growth).toFixed(2);
  return growth.verdict === 'missed' ? `**${text}**` : text;
}

/** Returns a sentence for each operation that grows, with its reason. */
const reasonsOf = (growths: readonly Growth[]) =>
  growths
    .filter(({ verdict }) => verdict === 'stated')
    .flatMap(({ operation, reason }) => ['', `\`${operation}\` grows at first: ${reason}`]);

const pictures = [
  '![Plots by the number of waiting jobs: calls and units are flat, except for /requests with a status, until 1,000 jobs.](../diagrams/growth-with-jobs.svg)',
  '![Plots by the number of endpoints: calls and units are flat.](../diagrams/growth-with-endpoints.svg)',
];

/** @returns Markdown */
export function render({ date, rows }: Recorded): string {
  const byJobs = growthsOf(rows, 'jobs');
  const byEndpoints = growthsOf(rows, 'endpoints');
  const cells = byJobs.map((growth): Cell[] => {
    const { operation, title } = growth;
    const measured = rows.filter((row) => row.operation === operation);
    return [
      `\`${operation}\``,
      title,
      ...(['calls', 'wru', 'rru', 'sqs'] as const).map((name) => rangeOf(measured, name)),
      exponentCell(growth),
      exponentCell(byEndpoints.find((other) => other.operation === operation)),
    ];
  });
  return [
    `Measured on ${date}. With many endpoints, each has ${JOBS_EACH} waiting jobs.`,
    '',
    ...pictures.flatMap((picture) => [picture, '']),
    table(['operation', 'what', 'calls', 'WRU', 'RRU', 'SQS', 'exponent: jobs', 'endpoints'], 2, cells),
    ...reasonsOf(byJobs),
  ].join('\n');
}
