/** Turns what a schema found wrong into a sentence that names the field, what is allowed and what was sent. */
import * as z from 'zod/mini';
import { InvalidRequest } from './errors.ts';

const SHOWN_CHARACTERS = 80;

/** A value as a message shows it: JSON, cut short. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

/** The value at a path into `root`, as far as it exists. */
export function at(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    root,
  );
}

type Schema = z.ZodMiniType;
type Issue = z.core.$ZodIssue;

function check<Type extends Schema>(schema: Type, value: unknown, sentence: (issue: Issue) => string): z.output<Type> {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  // A number can break several checks of one range, which say the same.
  throw new InvalidRequest(`${[...new Set(result.error.issues.map(sentence))].join('; ')}.`);
}

const clauseOf = (root: string, { path, message }: Issue) =>
  `\`${[root, ...path].filter((name) => name !== '').join('.')}\` ${message}`;

/**
 * @param root name of the value in messages, such as `policy`; empty for a body as a whole
 * @throws InvalidRequest with one clause per field that is wrong
 */
export const validate = <Type extends Schema>(schema: Type, value: unknown, root: string): z.output<Type> =>
  check(schema, value, (issue) => `${clauseOf(root, issue)}, got ${shown(at(value, issue.path))}`);

/** The same for what may be secret: a clause does not say what was sent. */
export const validateSecret = <Type extends Schema>(schema: Type, value: unknown, root: string): z.output<Type> =>
  check(schema, value, (issue) => clauseOf(root, issue));

interface Bounds {
  readonly min: number;
  readonly max: number;
}

function wholeNumber({ min, max }: Bounds, unit = '') {
  const must = `must be a whole number${unit} from ${min} to ${max}`;
  return z.int(must).check(z.gte(min, must), z.lte(max, must));
}

/** A whole number of milliseconds within bounds that are both allowed. */
export const milliseconds = (bounds: Bounds) => wholeNumber(bounds, ' of milliseconds');

/** A query parameter as it came; of one that was sent more than once, or as a list, all values. */
export type QueryValue = string | readonly string[];

/** A number in a query: what is no plain whole number stays as it is, for `validate` to refuse and show. */
export const parseQueryNumber = (value: QueryValue): number | QueryValue =>
  typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;

/**
 * How many entries a page has at most.
 * @throws InvalidRequest if it is no number within the bounds, both of which are allowed
 */
export const pageLimit = (value: QueryValue | undefined, page: Bounds & { readonly default: number }): number =>
  value === undefined ? page.default : validate(wholeNumber(page), parseQueryNumber(value), 'limit');
