/**
 * Converts the issues of a schema to a sentence with the field, the allowed values and the value that was sent.
 */
import * as z from 'zod/mini';
import { InvalidRequest } from './errors.ts';
import { shortened } from './shortened.ts';

/** Returns a value as shortened JSON for messages. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  // JSON has numbers that no variable can contain, such as 1e999. `JSON.stringify` would return null.
  if (value === Number.POSITIVE_INFINITY) return 'a number that is too large';
  if (value === Number.NEGATIVE_INFINITY) return 'a number that is too small';
  return shortened(JSON.stringify(value));
}

/** Returns the value at a path in `root`, or undefined if there is none. */
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
  // A number can violate several checks of one range, which have the same message.
  throw new InvalidRequest(`${[...new Set(result.error.issues.map(sentence))].join('; ')}.`);
}

const clauseOf = (root: string, { path, message }: Issue) =>
  `\`${[root, ...path].filter((name) => name !== '').join('.')}\` ${message}`;

/**
 * Validates a value.
 * @param root name of the value in messages, such as `policy`; empty for a whole body
 * @throws InvalidRequest with one clause for each wrong field
 */
export const validate = <Type extends Schema>(schema: Type, value: unknown, root: string): z.output<Type> =>
  check(schema, value, (issue) => `${clauseOf(root, issue)}, got ${shown(at(value, issue.path))}`);

/** Validates a value that can be secret, without showing it in messages. */
export const validateSecret = <Type extends Schema>(schema: Type, value: unknown, root: string): z.output<Type> =>
  check(schema, value, (issue) => clauseOf(root, issue));

/** Returns the schema of one or more of the names, separated by commas, as `status=FAILED,TIMED_OUT`. */
export function oneOrMoreOf<const Name extends string>(names: readonly Name[]) {
  const must = `must be one or more of ${names.join(', ')}, separated by commas`;
  const name = z.enum(names, must);
  const isList = (text: string) => text.split(',').every((part) => name.safeParse(part).success);
  return z.pipe(
    z.string(must).check(z.refine(isList, must)),
    z.transform((text) => text.split(',').map((part) => name.parse(part))),
  );
}

interface Bounds {
  readonly min: number;
  readonly max: number;
}

function wholeNumber({ min, max }: Bounds, unit = '') {
  const must = `must be a whole number${unit} from ${min} to ${max}`;
  return z.int(must).check(z.gte(min, must), z.lte(max, must));
}

/** Returns the schema of a whole number of milliseconds; both bounds are allowed. */
export const milliseconds = (bounds: Bounds) => wholeNumber(bounds, ' of milliseconds');

/** An unparsed query parameter, or all its values if it was sent several times or as a list. */
export type QueryValue = string | readonly string[];

/**
 * Parses a number in a query. Any other value is returned unchanged, so that `validate` refuses it and shows it.
 */
export const parseQueryNumber = (value: QueryValue): number | QueryValue =>
  typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;

/** Bounds of a number in a query that counts chunks or completions: numbers of 15 digits are exact. */
export const indexLimits = { min: 0, max: 10 ** 15 - 1 } as const;

/**
 * Returns a number that counts chunks or completions, or undefined if the query does not have it.
 * @throws InvalidRequest if the value is not a number within the bounds
 */
export const parseIndex = (value: QueryValue | undefined, name: string): number | undefined =>
  value === undefined ? undefined : validate(wholeNumber(indexLimits), parseQueryNumber(value), name);

/**
 * Returns the maximum number of entries of a page.
 * @throws InvalidRequest if the value is not a number within the bounds
 */
export const pageLimit = (value: QueryValue | undefined, page: Bounds & { readonly default: number }): number =>
  value === undefined ? page.default : validate(wholeNumber(page), parseQueryNumber(value), 'limit');

const flagSchema = z.optional(z.enum(['true', 'false'], 'must be true or false'));

/**
 * Returns whether a query parameter is `true`, or undefined if it is absent.
 * @throws InvalidRequest if it is neither
 */
export function parseFlag(value: QueryValue | undefined, name: string): boolean | undefined {
  const flag = validate(flagSchema, value, name);
  return flag === undefined ? undefined : flag === 'true';
}
