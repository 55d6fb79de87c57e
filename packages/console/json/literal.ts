/** Writes JSON as literals of other languages, for code that users copy. All functions take valid JSON. */

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d[\d.eE+-]*|true|false|null/g;

/** Characters that reorder text or are invisible. Code to copy shows them as escapes. */
const UNSEEN = /[\p{Cf}\u007f-\u009f\u2028\u2029]/gu;

const escapes = (character: string) =>
  [...Array(character.length).keys()]
    .map((n) => `\\u${character.charCodeAt(n).toString(16).padStart(4, '0')}`)
    .join('');

/** Returns a string as a literal of JavaScript and JSON. */
export const quoted = (value: string): string => JSON.stringify(value).replace(UNSEEN, escapes);

/** Escapes invisible and reordering characters in JSON. */
export const visibleJson = (json: string): string => json.replace(UNSEEN, escapes);

/** Number of decimal digits that a double keeps. */
const EXACT = 15;

function isKept(number: string): boolean {
  const [mantissa = ''] = number.toLowerCase().split('e');
  const digits = mantissa.replace(/[-.]/g, '').replace(/^0+/, '');
  return digits.length <= EXACT && Number.isFinite(Number(number)) && (Number(number) !== 0 || digits === '');
}

/**
 * @returns whether a literal of the JSON has the same value in JavaScript and Python: no number loses digits, and no
 * name is `__proto__`
 */
export const isExact = (json: string): boolean =>
  (json.match(TOKEN) ?? []).every((token) =>
    token.startsWith('"') ? JSON.parse(token) !== '__proto__' : !/^[-\d]/.test(token) || isKept(token),
  );

/**
 * Returns a string as a Python literal. A surrogate pair becomes one escape, because Python does not join
 * surrogates.
 */
export const pythonString = (value: string): string =>
  JSON.stringify(value).replace(UNSEEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });

const PYTHON: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

/** Returns JSON as a Python literal, with its line breaks. */
export const pythonLiteral = (json: string): string =>
  json.replace(TOKEN, (token) =>
    token.startsWith('"') ? pythonString(JSON.parse(token) as string) : (PYTHON[token] ?? token),
  );

/** Quotes any string as one argument of a POSIX shell. */
export const shellQuoted = (value: string): string => `'${value.replaceAll("'", `'\\''`)}'`;
