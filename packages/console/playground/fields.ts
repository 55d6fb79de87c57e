/** Shows the members of an input as fields of a form. Each field changes only its own part of the text. */
import { seen, stringOf } from '../json/display.ts';
import { childrenOf, type Kind, kindAt, members, stringEnd } from '../json/scan.ts';
import { inputError } from './request.ts';

export interface Field {
  readonly name: string;
  readonly kind: Exclude<Kind, 'object' | 'array'>;
  /** Value as typed: a string without its quotes, or any other value as JSON. */
  readonly value: string;
}

/** Maximum length of a string in a field. Longer strings are edited in the editor. */
const MAX_LENGTH = 10_000;

const fieldOf = (name: string, source: string): Field | undefined => {
  const kind = kindAt(source, 0);
  if (kind === 'object' || kind === 'array' || source.length > MAX_LENGTH) return undefined;
  return { name, kind, value: stringOf(source) ?? source };
};

/**
 * Returns fields for strings, numbers, `true`, `false` and `null` of at most `MAX_LENGTH` characters in the input;
 * undefined if the text is not an input.
 */
export function fieldsOf(input: string): readonly Field[] | undefined {
  if (inputError(input)) return undefined;
  return [...members(input, childrenOf(input))]
    .map(([name, source]) => fieldOf(name, source))
    .filter((field) => field !== undefined);
}

/** Returns the label of a field: its name. */
export const labelOf = ({ name }: Field): string => seen(name) || '(empty name)';

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Returns the error of the typed text; undefined if the text is a valid value. */
export const fieldError = ({ kind }: Field, value: string): string | undefined =>
  kind === 'number' && !NUMBER.test(value.trim()) ? 'Enter a number.' : undefined;

/**
 * Returns the JSON of a value.
 * @param value a valid value
 */
function sourceOf({ kind }: Field, value: string): string {
  if (kind === 'number') return value.trim();
  return kind === 'literal' ? value : JSON.stringify(value);
}

/**
 * Returns the input with a new value for the field.
 * @param value a valid value; for a literal, `true`, `false` or `null`
 */
export function withField(input: string, field: Field, value: string): string {
  const children = childrenOf(input);
  const number = [...children.names.keys()].findLast((n) => {
    const name = children.names[n] ?? 0;
    return stringOf(input.slice(name, stringEnd(input, name))) === field.name;
  });
  if (number === undefined) return input;
  return `${input.slice(0, children.starts[number])}${sourceOf(field, value)}${input.slice(children.ends[number])}`;
}
