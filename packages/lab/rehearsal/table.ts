/** Creates the table of resources that a rehearsal omits, and of facts that it does not prove. */
import type { Count } from './assembly.ts';
import { defects } from './defects.ts';
import { type TypeRule, typeRules } from './types.ts';

type Row = readonly string[];

const rehearsedOf = ({ rehearsed, leavesOut }: TypeRule) =>
  leavesOut ? `${rehearsed}; ${leavesOut.which} left out` : rehearsed;

function aligned(rows: readonly Row[]): string[][] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
}

function markdown(head: Row, rows: readonly Row[]): string {
  const [first = [], ...others] = aligned([head, ...rows]);
  const rule = first.map((cell) => '-'.repeat(cell.length));
  return [first, rule, ...others].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const inCode = ({ type }: TypeRule) => `\`${type}\``;

/** Returns a table with a row for the types of which the same is not proven. */
function tableOf(rules: readonly TypeRule[], unprovenOf: (rule: TypeRule) => string): string {
  const alike = Map.groupBy(rules, (rule) => `${rehearsedOf(rule)} | ${unprovenOf(rule)}`);
  const rows = [...alike].map(([same, types]) => [types.map(inCode).join(', '), ...same.split(' | ')]);
  return markdown(['resource type', 'in the rehearsal', 'not proven'], rows);
}

const START = '`npm start`';

/** Returns what is not proven, with the part that `npm start` shows if it does not show all. */
function unprovenWithPart({ unproven, shownBy }: TypeRule): string {
  const part = shownBy.slice(START.length);
  return part === '' ? unproven : `${unproven} (${START}${part})`;
}

/** Returns the tables of the documentation with all types. They have no numbers, because these change with each endpoint. */
function documentedTables(): string {
  const proven = typeRules.filter(({ shownBy }) => shownBy === '');
  const shown = typeRules.filter(({ shownBy }) => shownBy.startsWith(START));
  const unproven = typeRules.filter((rule) => !proven.includes(rule) && !shown.includes(rule));
  const changed = markdown(
    ['what the rehearsal changes in templates', 'why'],
    defects.map(({ about, because }) => [about, because]),
  );
  return [
    `### Shown by nothing yet\n\n${tableOf(unproven, (rule) => rule.unproven)}`,
    `### Shown by ${START} instead\n\n${tableOf(shown, unprovenWithPart)}`,
    `Nothing more is to be proven of ${proven.map(inCode).join(', ')}.`,
    `### Changes of templates\n\n${changed}`,
  ].join('\n\n');
}

/** Returns the table of one run, with the types in its templates. */
export function printedTable(counts: ReadonlyMap<string, Count>): string {
  const rows = typeRules.flatMap((rule) => {
    const { made, leftOut } = counts.get(rule.type) ?? { made: 0, leftOut: 0 };
    if (made + leftOut === 0) return [];
    const [unproven = '', shownBy = ''] = [rule.unproven, rule.shownBy].map((text) => text.replaceAll('`', ''));
    return [[rule.type, `${made + leftOut}`, `${made}`, `${leftOut}`, rule.rehearsed, unproven, shownBy]];
  });
  const head = ['resource type', 'all', 'made', 'left out', 'in the rehearsal', 'not proven', 'shown instead by'];
  return aligned([head, ...rows])
    .map((cells) => cells.join('  ').trimEnd())
    .join('\n');
}

const BEGIN = '<!-- rehearsal: written by `npm run rehearse -w packages/lab -- --write` -->';
const END = '<!-- end of rehearsal -->';

/**
 * Returns the page with the current table.
 * @throws Error if the page has no lines for it
 */
export function withTable(page: string): string {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`The page has no lines ${BEGIN} and ${END}.`);
  return `${before}${BEGIN}\n\n${documentedTables()}\n\n${END}${after}`;
}
