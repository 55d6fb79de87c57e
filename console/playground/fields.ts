/** The members of an input as fields of a form: each changes its own part of the text, and nothing else of it. */
import { seen, stringOf } from '../json/display.ts';
import { childrenOf, type Kind, kindAt, members, stringEnd } from '../json/scan.ts';
import { inputError } from './request.ts';

export interface Field {
  readonly name: string;
  readonly kind: Exclude<Kind, 'object' | 'array'>;
  /** As it was typed: a string without its quotes, any other value as JSON. */
  readonly value: string;
}

/** Longer strings are for the editor. */
const LONGEST = 10_000;

const fieldOf = (name: string, source: string): Field | undefined => {
  const kind = kindAt(source, 0);
  if (kind === 'object' || kind === 'array' || source.length > LONGEST) return undefined;
  return { name, kind, value: stringOf(source) ?? source };
};

/** Fields for strings, numbers, `true`, `false` and `null` of the input; undefined if it is no input. */
export function fieldsOf(input: string): readonly Field[] | undefined {
  if (inputError(input)) return undefined;
  return [...members(input, childrenOf(input))]
    .map(([name, source]) => fieldOf(name, source))
    .filter((field) => field !== undefined);
}

/** The name as a label. */
export const labelOf = ({ name }: Field): string => seen(name) || '(without a name)';

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The error of the typed text; undefined if it can be the value of the field. */
export const fieldError = ({ kind }: Field, value: string): string | undefined =>
  kind === 'number' && !NUMBER.test(value.trim()) ? 'Give a number.' : undefined;

/** @param value without an error */
function sourceOf({ kind }: Field, value: string): string {
  if (kind === 'number') return value.trim();
  return kind === 'literal' ? value : JSON.stringify(value);
}

/** The input with another value of the field. @param value without an error; of a literal `true`, `false` or `null` */
export function withField(input: string, field: Field, value: string): string {
  const children = childrenOf(input);
  const number = [...children.names.keys()].findLast((n) => {
    const name = children.names[n] ?? 0;
    return stringOf(input.slice(name, stringEnd(input, name))) === field.name;
  });
  if (number === undefined) return input;
  return `${input.slice(0, children.starts[number])}${sourceOf(field, value)}${input.slice(children.ends[number])}`;
}
