/** Prints results for people. */
import type { Row } from './results.ts';

/** Maximum characters of an error in a line. `--json` has the whole error. */
const MAX = 400;

const shortened = (text: string) => (text.length > MAX ? `${text.slice(0, MAX)}…` : text);

const joined = (lines: readonly string[]) =>
  lines
    .map((line) => line.slice(1).trim())
    .join(' ')
    .replace(/,$/, '');

/**
 * Returns the message of an assertion in one line: what its diff has removed was expected, what it has added was
 * received. Other messages have labelled lines, such as `Expected: 200`.
 */
export function inOneLine(error: string): string {
  const lines = error.split('\n');
  const removed = lines.filter((line) => /^-(?! Expected\b)/.test(line));
  const added = lines.filter((line) => /^\+(?! Received\b)/.test(line));
  if (removed.length + added.length > 0)
    return shortened(`expected ${joined(removed) || 'nothing'}, received ${joined(added) || 'nothing'}`);
  const labelled = lines.filter((line) => /^(?:Expected|Received)[\w ]*:/.test(line));
  const text = labelled.length > 0 ? labelled.join(', ') : error;
  return shortened(text.replaceAll(/\s+/g, ' ').trim());
}

/** Returns a line for a row that does not hold. */
export function lineOf({ id, tests }: Row): string {
  const [first, ...others] = tests.filter(({ status }) => status === 'fails');
  const more = others.length > 0 ? ` (and ${others.length} more failing)` : '';
  return `${id} does not hold: ${first?.title}: ${inOneLine(first?.error ?? '')}${more}`;
}

const counted = (reasons: readonly (string | undefined)[]) =>
  [...Map.groupBy(reasons, (reason) => reason)].map(([reason, all]) => `${all.length}: ${reason}`).join('; ');

const count = ({ length }: readonly Row[]) => `${length} ${length === 1 ? 'row holds' : 'rows hold'}`;

/** Returns how many rows hold, how many do not, and why the others are not checked. */
export function summaryOf(rows: readonly Row[]): string {
  const having = (status: Row['status']) => rows.filter((row) => row.status === status);
  const [holding, failing, unchecked] = [having('holds'), having('fails'), having('not checked')];
  const reasons = unchecked.length > 0 ? ` (${counted(unchecked.map(({ reason }) => reason))})` : '';
  const skipped = new Map(
    [...holding, ...failing].flatMap(({ tests }) =>
      tests.flatMap(({ title, reason }) => (reason === undefined ? [] : [[title, reason] as const])),
    ),
  );
  const also = skipped.size > 0 ? [`Tests of other rows that did not run: ${counted([...skipped.values()])}.`] : [];
  return [
    `${count(holding)}, ${failing.length} ${failing.length === 1 ? 'does' : 'do'} not, ${unchecked.length} not checked${reasons}.`,
    ...also,
  ].join('\n');
}
