/** Parts of generated Markdown pages. */

/** Returns the text for one cell of a table. */
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', '<br>');

const row = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;

/** Returns a table, or no text if it has no rows. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  return [row(header), row(header.map(() => '---')), ...rows.map(row)].join('\n');
}

export const code = (text: string): string => `\`${text}\``;

/** Returns a block of code. */
export const block = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

/** Joins the parts of a page with empty lines between them. Leaves out empty parts. */
export const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n');

/** Returns a page that the command writes. */
export const pageOf = (title: string, command: string, parts: readonly string[]): string =>
  `${joined([`# ${title}`, `<!-- Written by \`npm run ${command}\`. -->`, ...parts])}\n`;
