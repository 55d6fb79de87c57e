/** Indents JSON for reading, without changing its values. */

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"?|[{}[\],:]|[^\s{}[\],:"]+/g;

/** @param text valid JSON of at most about 100 KB */
export function formatted(text: string): string {
  let depth = 0;
  let written = '';
  let previous = '';
  const line = () => `\n${'  '.repeat(depth)}`;
  for (const [token] of text.matchAll(TOKEN)) {
    const closes = token === '}' || token === ']';
    const isFirst = previous === '{' || previous === '[';
    if (closes) depth -= 1;
    if (closes ? !isFirst : isFirst || previous === ',') written += line();
    written += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') depth += 1;
    previous = token;
  }
  return written;
}
