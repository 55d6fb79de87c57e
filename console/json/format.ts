/** Lays JSON out for reading, without a change to its values. */

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** @param text valid JSON of some 100 KB at most */
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
