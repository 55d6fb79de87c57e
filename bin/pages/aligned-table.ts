/** Renders Markdown tables. */

export type Cell = string | number;

/**
 * Formats US dollars with cents, and rounds half a cent up. Products such as 15 × 0.045 are not exact: they are a little
 * less than 0.675, which is 0.68.
 */
export const dollars = (value: number): string => (Math.round(Number((value * 100).toPrecision(12))) / 100).toFixed(2);

/**
 * Renders a table in the format of `npm run format`. The first `texts` columns contain text, and the others
 * numbers.
 */
export function table(head: readonly string[], texts: number, rows: readonly (readonly Cell[])[]): string {
  const cells = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)));
  const isText = (column: number) => column < texts;
  const line = (row: readonly string[]) => `| ${row.join(' | ')} |`;
  const padded = cells.map((row) =>
    line(
      row.map((cell, column) => {
        const width = widths[column] ?? 0;
        return isText(column) ? cell.padEnd(width) : cell.padStart(width);
      }),
    ),
  );
  const rule = line(widths.map((width, column) => (isText(column) ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)));
  return [padded[0], rule, ...padded.slice(1)].join('\n');
}
