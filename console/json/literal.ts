/** JSON as literals of other languages, for code that people copy. All functions take valid JSON. */

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/g;

/** Characters that reorder text or are not seen: code that is copied shows them as escapes. */
const UNSEEN = /[\p{Cf}\u007f-\u009f\u2028\u2029]/gu;

const escapes = (character: string) =>
  [...Array(character.length).keys()]
    .map((n) => `\\u${character.charCodeAt(n).toString(16).padStart(4, '0')}`)
    .join('');

/** A string as a literal of JavaScript and of JSON. */
export const quoted = (value: string): string => JSON.stringify(value).replace(UNSEEN, escapes);

/** The same JSON, in which every character is seen. */
export const visibleJson = (json: string): string => json.replace(UNSEEN, escapes);

/** Digits that a double keeps. */
const EXACT = 15;

function isKept(number: string): boolean {
  const [mantissa = ''] = number.toLowerCase().split('e');
  const digits = mantissa.replace(/[-.]/g, '').replace(/^0+/, '');
  return digits.length <= EXACT && Number.isFinite(Number(number)) && (Number(number) !== 0 || digits === '');
}

const isNumber = (token: string) => /^[-\d]/.test(token);

/** Whether JavaScript, which has doubles and `__proto__`, keeps the JSON as an object literal. */
export const fitsJavaScript = (json: string): boolean =>
  (json.match(TOKEN) ?? []).every((token) =>
    token.startsWith('"') ? JSON.parse(token) !== '__proto__' : !isNumber(token) || isKept(token),
  );

/** Whether Python, whose whole numbers are exact, keeps the JSON as a literal. */
export const fitsPython = (json: string): boolean =>
  (json.match(TOKEN) ?? []).every((token) => !isNumber(token) || /^-?\d+$/.test(token) || isKept(token));

/** A string as a literal of Python: pairs of surrogates, which Python does not join, are one escape. */
export const pythonString = (value: string): string =>
  JSON.stringify(value).replace(UNSEEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });

const PYTHON: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

/** JSON as a literal of Python, with its line breaks. */
export const pythonLiteral = (json: string): string =>
  json.replace(TOKEN, (token) =>
    token.startsWith('"') ? pythonString(JSON.parse(token) as string) : (PYTHON[token] ?? token),
  );

/** One argument of a POSIX shell, whatever it has in it. */
export const shellQuoted = (value: string): string => `'${value.replaceAll("'", `'\\''`)}'`;
