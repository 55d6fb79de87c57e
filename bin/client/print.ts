/** Prints answers: tables for people, JSON for programs. */

/** A column of a table. */
export interface Column<Row> {
  readonly head: string;
  readonly text: (row: Row) => string | number | undefined;
  /** Whether the column is on the right of its numbers. */
  readonly isNumber?: true;
  /** The end of its texts that a narrow terminal cuts off. A column without it keeps its width. */
  readonly shrinks?: 'start' | 'end';
  /** Place in the order in which a narrow terminal omits columns, before it cuts texts. Others are never omitted. */
  readonly omitted?: number;
  /** Whether a narrow terminal has the whole texts of this last column in lines of their own, below their rows. */
  readonly below?: true;
}

/** Characters in a line of a terminal that does not know its width, such as one of a CI service. */
const USUAL_WIDTH = 80;

/** Returns the characters in a line of a terminal, or undefined for a file or a pipe. */
export const widthOf = ({ isTTY, columns }: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>): number | undefined =>
  isTTY ? columns || USUAL_WIDTH : undefined;

const GAP = '  ';
const MIN_SHRUNK = 8;

function shortened(text: string, width: number, end: Column<never>['shrinks']): string {
  if (text.length <= width) return text;
  return end === 'start' ? `…${text.slice(1 - width)}` : `${text.slice(0, width - 1)}…`;
}

const cellOf = <Row>({ text }: Column<Row>, row: Row) => String(text(row) ?? '');

const widthsOf = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]) =>
  columns.map((column) => Math.max(column.head.length, ...rows.map((row) => cellOf(column, row).length)));

const totalOf = (widths: readonly number[]) => widths.reduce((sum, each) => sum + each + GAP.length, -GAP.length);

/** Returns the columns without those that are omitted to fit the width. */
function fittingColumns<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number,
): readonly Column<Row>[] {
  const places = columns.flatMap(({ omitted }) => omitted ?? []);
  if (places.length === 0 || totalOf(widthsOf(columns, rows)) <= width) return columns;
  const first = Math.min(...places);
  return fittingColumns(
    columns.filter(({ omitted }) => omitted !== first),
    rows,
    width,
  );
}

/** Returns the lines of a table with each text of the last column below its row. */
function linesWithTexts<Row>(columns: readonly Column<Row>[], last: Column<Row>, rows: readonly Row[], width: number) {
  const [head, ...lines] = tableLines(columns, rows, width);
  const texts = rows.map((row) => cellOf(last, row));
  return [head ?? '', ...lines.flatMap((line, n) => [line, ...(texts[n] ? [`${GAP}${texts[n]}`] : [])])];
}

/**
 * Returns the lines of a table. On a terminal, columns are omitted in their order until a line fits. Then columns that
 * can shrink are shortened, the widest first.
 * @param width of the terminal, if the table is for one
 */
export function tableLines<Row>(
  all: readonly Column<Row>[],
  rows: readonly Row[],
  width: number | undefined,
): string[] {
  const last = all.at(-1);
  if (width !== undefined && last?.below && totalOf(widthsOf(all, rows)) > width)
    return linesWithTexts(all.slice(0, -1), last, rows, width);
  const columns = width === undefined ? all : fittingColumns(all, rows, width);
  const cells = rows.map((row) => columns.map((column) => cellOf(column, row)));
  const widths = widthsOf(columns, rows);
  const shrinking = columns.flatMap(({ shrinks }, n) => (shrinks ? [n] : []));
  while (width !== undefined && totalOf(widths) > width) {
    const widest = shrinking.toSorted((one, other) => (widths[other] ?? 0) - (widths[one] ?? 0))[0];
    if (widest === undefined || (widths[widest] ?? 0) <= MIN_SHRUNK) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  const line = (row: readonly string[]) =>
    row
      .map((cell, n) => {
        const fitting = shortened(cell, widths[n] ?? 0, columns[n]?.shrinks);
        return columns[n]?.isNumber ? fitting.padStart(widths[n] ?? 0) : fitting.padEnd(widths[n] ?? 0);
      })
      .join(GAP)
      .trimEnd();
  return [line(columns.map(({ head }) => head)), ...cells.map(line)];
}

/** Prints a table, or a sentence if it has no rows. */
export function printTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[], none: string): void {
  if (rows.length === 0) console.log(none);
  else for (const line of tableLines(columns, rows, widthOf(process.stdout))) console.log(line);
}

/** Prints names with their values, one in each line, without those that have none. */
export function printFacts(facts: readonly (readonly [name: string, value: string | number | undefined])[]): void {
  const known = facts.filter(([, value]) => value !== undefined && value !== '');
  const width = Math.max(...known.map(([name]) => name.length));
  for (const [name, value] of known) console.log(`${name.padEnd(width)}${GAP}${value}`);
}

export const printJson = (value: unknown): void => console.log(JSON.stringify(value));

const SECOND = 1000;
const units = [
  ['d', 24 * 3600 * SECOND],
  ['h', 3600 * SECOND],
  ['min', 60 * SECOND],
] as const;

/** Formats a duration, such as `84 ms`, `3.2 s`, `4 min` or `2 h`. */
export function duration(milliseconds: number): string {
  if (milliseconds < SECOND) return `${Math.round(milliseconds)} ms`;
  const [unit, size] = units.find(([, size]) => milliseconds >= 2 * size) ?? [];
  return size === undefined
    ? `${(milliseconds / SECOND).toFixed(milliseconds < 10 * SECOND ? 1 : 0)} s`
    : `${Math.floor(milliseconds / size)} ${unit}`;
}

/** Formats an amount in US dollars: whole cents, or two digits of less than a cent. */
export function dollars(amount: number | undefined): string {
  if (amount === undefined) return '';
  const digits = amount > 0 && amount < 0.01 ? Math.min(9, 1 - Math.floor(Math.log10(amount))) : 2;
  return `$${amount.toFixed(digits)}`;
}

/** Formats how long ago a time was. */
export const ago = (time: string | undefined, now: number = Date.now()): string =>
  time === undefined ? '' : `${duration(Math.max(0, now - Date.parse(time)))} ago`;
