/** The comparison of a page with its schemas. */

/** Returns the field of a row, as in "| `http.port` | …", or undefined for other lines. */
const fieldOf = (line = ''): string | undefined => /^\| `([\w.]+)` \|/.exec(line)?.[1];

const isIn = (lines: readonly string[], field: string) => lines.some((line) => fieldOf(line) === field);

const shown = (line: string | undefined): string => (line === undefined ? 'the end of the page' : JSON.stringify(line));

/** Returns the end of a sentence about the line at which two pages differ. */
function whatDiffers(present: readonly string[], wanted: readonly string[], at: number): string {
  const [line, right] = [present[at], wanted[at]];
  const [its, field] = [fieldOf(line), fieldOf(right)];
  if (field !== undefined && !isIn(present, field)) return `the row of \`${field}\` is missing`;
  if (its !== undefined && !isIn(wanted, its)) return `\`${its}\` is not a field of the schema`;
  if (field !== undefined && field === its) return `the row of \`${field}\` must be ${shown(right)}`;
  return `the line must be ${shown(right)}, got ${shown(line)}`;
}

/**
 * Finds the first line in which a page differs from the schemas.
 * @param page text of the page, or undefined if it does not exist
 * @param generated text that `npm run generate` would write
 * @returns a sentence with the file, the line and the field, or undefined if the page is up to date
 */
export function differenceIn(file: string, page: string | undefined, generated: string): string | undefined {
  if (page === undefined) return `${file} does not exist.`;
  if (page === generated) return undefined;
  const [present, wanted] = [page.split('\n'), generated.split('\n')];
  const first = wanted.findIndex((line, at) => line !== present[at]);
  const at = first === -1 ? wanted.length : first;
  return `${file}:${at + 1}: ${whatDiffers(present, wanted, at)}.`;
}
