/** Compares what a terminal has printed with what the page shows. */

/** Stands for any characters of a line. A line that contains nothing else stands for any number of lines. */
const ANYTHING = '…';

/** Colours, movements of the cursor, and titles of the window. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are controlled by these characters
const CONTROL = /\x1b(?:\[[\d;?]*[A-Za-z]|\][^\x07]*\x07|[()][A-Z0-9])/g;

/** What a terminal no longer shows: the line that a program removes to show its next progress. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are controlled by these characters
const REMOVED = /[^\n]*\r\x1b\[2K/g;

/** Returns the text that a terminal shows for these bytes. */
export const shownText = (printed: string): string =>
  printed.replaceAll(REMOVED, '').replaceAll(CONTROL, '').replaceAll(/\r+\n/g, '\n');

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

const lineExpression = (line: string) => line.split(ANYTHING).map(escaped).join('[^\\n]*');

/** Returns an expression that matches the shown lines, each with its line break. */
function expression(shown: string): string {
  const lines = shown.trim().split('\n');
  return lines
    .map((line) => (line.trim() === ANYTHING ? '(?:[^\\n]*\\n)*?' : `${lineExpression(line.trimEnd())}[ \\t]*\\n`))
    .join('');
}

/** Whether the output of a command that has ended is what the page shows. */
export const isWhole = (shown: string, printed: string): boolean =>
  new RegExp(`^${expression(shown)}$`).test(`${printed.trim()}\n`);

/**
 * Finds the shown lines at the start of what a running command has printed so far.
 * @returns the number of characters up to the end of the shown lines; undefined if they are not all there
 */
export function lengthOf(shown: string, printed: string): number | undefined {
  // Lines can be matched only when they are complete.
  const complete = printed.slice(0, printed.lastIndexOf('\n') + 1);
  return new RegExp(`^\\s*?${expression(shown)}`).exec(complete)?.[0].length;
}
