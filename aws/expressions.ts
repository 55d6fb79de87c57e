/**
 * Builds the expressions of DynamoDB commands. A builder returns the members of the command's input:
 *
 *   new UpdateCommand({
 *     TableName,
 *     Key,
 *     ...updateExpression({ set: { state: 'FAILED' }, condition: compare('attempts', '>=', 3) }),
 *   });
 *
 * Every name and every value becomes a placeholder. So none of them can change an expression, and reserved words of
 * DynamoDB need no special treatment.
 */

/** Placeholders of the names and values of one command. */
interface Placeholders {
  readonly names: Map<string, string>;
  readonly values: Map<unknown, string>;
}

/** Writes a part of an expression, and adds its placeholders. */
type Part = (placeholders: Placeholders) => string;

/** Name of an attribute, in which a dot has no meaning, or a part, such as `path('fleet', 'version')`. */
type Attribute = string | Part;

export interface Condition {
  readonly part: Part;
  /** Whether the condition needs parentheses inside another one. DynamoDB refuses redundant parentheses. */
  readonly isCompound?: boolean;
}

function placeholderIn<Type>(all: Map<Type, string>, prefix: string, one: Type): string {
  const placeholder = all.get(one) ?? `${prefix}${all.size}`;
  all.set(one, placeholder);
  return placeholder;
}

// A value that DynamoDB can store is never a function.
const isPart = (value: unknown): value is Part => typeof value === 'function';
const nameOf = (attribute: Attribute): Part =>
  isPart(attribute) ? attribute : ({ names }) => placeholderIn(names, '#n', attribute);
const operandOf = (value: unknown): Part =>
  isPart(value) ? value : ({ values }) => placeholderIn(values, ':v', value);

const text =
  (strings: TemplateStringsArray, ...parts: readonly Part[]): Part =>
  (placeholders) =>
    strings.reduce((written, string, n) => `${written}${parts[n - 1]?.(placeholders)}${string}`);
const list =
  (parts: readonly Part[], separator: string): Part =>
  (placeholders) =>
    parts.map((part) => part(placeholders)).join(separator);
const call = (name: string, attribute: string, ...values: readonly unknown[]): Part =>
  text`${() => name}(${list([nameOf(attribute), ...values.map(operandOf)], ', ')})`;

/** Returns a member of a map. */
export const path = (...names: readonly string[]): Part => list(names.map(nameOf), '.');
export const size = (attribute: string): Part => call('size', attribute);
/** Returns the attribute, or the value if the item has no such attribute. */
export const ifNotExists = (attribute: string, value: unknown): Part => call('if_not_exists', attribute, value);
export const plus = (attribute: Attribute, value: number): Part => text`${nameOf(attribute)} + ${operandOf(value)}`;

export const exists = (attribute: string): Condition => ({ part: call('attribute_exists', attribute) });
export const notExists = (attribute: string): Condition => ({ part: call('attribute_not_exists', attribute) });
export const contains = (set: string, element: string): Condition => ({ part: call('contains', set, element) });
export const beginsWith = (attribute: string, prefix: string): Condition => ({
  part: call('begins_with', attribute, prefix),
});
export const between = (attribute: string, first: unknown, last: unknown): Condition => ({
  part: text`${nameOf(attribute)} BETWEEN ${operandOf(first)} AND ${operandOf(last)}`,
});
type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>=';
export const compare = (attribute: Attribute, comparator: Comparator, value: unknown): Condition => ({
  part: text`${nameOf(attribute)} ${() => comparator} ${operandOf(value)}`,
});

const inner = ({ part, isCompound }: Condition) => (isCompound ? text`(${part})` : part);
const join = (word: 'AND' | 'OR', conditions: readonly Condition[]): Condition => {
  const [only] = conditions;
  if (only && conditions.length === 1) return only;
  return { part: list(conditions.map(inner), ` ${word} `), isCompound: true };
};
export const and = (...conditions: readonly Condition[]): Condition => join('AND', conditions);
export const or = (...conditions: readonly Condition[]): Condition => join('OR', conditions);
export const not = (condition: Condition): Condition => ({ part: text`NOT ${inner(condition)}` });

/** Returns the names or values by their placeholders, or undefined if there are none: DynamoDB refuses an empty map. */
const attributesOf = <Type>(all: Map<Type, string>): Record<string, Type> | undefined =>
  all.size === 0 ? undefined : Object.fromEntries([...all].map(([one, placeholder]) => [placeholder, one]));

/** Writes the expressions of one command, which share its placeholders. */
function write<Parts extends { readonly [name: string]: Part }>(parts: Parts) {
  const placeholders: Placeholders = { names: new Map(), values: new Map() };
  const texts = Object.entries(parts).map(([name, part]) => [name, part(placeholders)]);
  return {
    ...(Object.fromEntries(texts) as { readonly [Name in keyof Parts]: string }),
    ExpressionAttributeNames: attributesOf(placeholders.names),
    ExpressionAttributeValues: attributesOf(placeholders.values),
  };
}

/** Changes of an item, at least one, and the condition on which they are made. */
export interface Update {
  /** New values by attribute. The update removes an attribute whose value is undefined. */
  readonly set?: Readonly<Record<string, unknown>>;
  readonly remove?: readonly string[];
  /** Numbers to add, and elements to add to sets. A missing attribute counts as 0 or as an empty set. */
  readonly add?: Readonly<Record<string, number | ReadonlySet<string>>>;
  /** Elements to remove from sets. */
  readonly delete?: Readonly<Record<string, ReadonlySet<string>>>;
  readonly condition?: Condition;
}

/** Returns members of an update's input: `UpdateExpression`, and `ConditionExpression` if there is a condition. */
export function updateExpression({ set = {}, remove = [], add = {}, delete: elements = {}, condition }: Update) {
  const sets = Object.entries(set);
  const assigned = sets.filter(([, value]) => value !== undefined);
  const removed = [...remove, ...sets.filter(([, value]) => value === undefined).map(([name]) => name)];
  const clauses = {
    SET: assigned.map(([name, value]) => text`${nameOf(name)} = ${operandOf(value)}`),
    REMOVE: removed.map(nameOf),
    ADD: Object.entries(add).map(([name, value]) => text`${nameOf(name)} ${operandOf(value)}`),
    DELETE: Object.entries(elements).map(([name, value]) => text`${nameOf(name)} ${operandOf(value)}`),
  };
  const used = Object.entries(clauses).filter(([, parts]) => parts.length > 0);
  const UpdateExpression = list(
    used.map(([clause, parts]) => text`${() => clause} ${list(parts, ', ')}`),
    ' ',
  );
  return write({ UpdateExpression, ...(condition && { ConditionExpression: condition.part }) });
}

/** Returns members of a put's, a delete's or a check's input. */
export const conditionExpression = ({ part }: Condition) => write({ ConditionExpression: part });

/**
 * Returns members of a query's input.
 * @param key condition that the keys of items meet
 * @param filter condition that the returned items meet
 */
export const queryExpression = (key: Condition, filter?: Condition) =>
  write({ KeyConditionExpression: key.part, ...(filter && { FilterExpression: filter.part }) });
