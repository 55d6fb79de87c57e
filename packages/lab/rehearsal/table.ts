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

/** Returns the table of the documentation with all types. It has no numbers, because they change with each endpoint. */
function documentedTable(): string {
  const types = markdown(
    ['resource type', 'in the rehearsal', 'not proven', 'shown instead by'],
    typeRules.map((rule) => [`\`${rule.type}\``, rehearsedOf(rule), rule.unproven, rule.shownBy]),
  );
  const changed = markdown(
    ['what the rehearsal changes in templates', 'why'],
    defects.map(({ about, because }) => [about, because]),
  );
  return `${types}\n\n${changed}`;
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
  return `${before}${BEGIN}\n\n${documentedTable()}\n\n${END}${after}`;
}
