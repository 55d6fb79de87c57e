/** The conditions of policy statements. Keys and operators outside the tables of this file prevent the start. */
import { LocalError } from '../local-error.ts';
import { arnWildcard, wildcard } from './wildcard.ts';

/** The values of a call's condition keys, by key in lower case. A missing key is absent from the request. */
export type Context = Readonly<Partial<Record<string, readonly string[]>>>;

export interface Condition {
  /** The key as written in the policy. */
  readonly key: string;
  holds(context: Context): boolean;
}

/** Condition keys, and whether each has one value in a request or several, which require a set operator. */
const KEYS: Readonly<Record<string, 'one' | 'several'>> = {
  'aws:principalarn': 'one',
  // The key is present only in calls that a service makes on its own behalf.
  'aws:sourcearn': 'one',
  // Loopback counts as TLS: no other machine can read the traffic.
  'aws:securetransport': 'one',
  'dynamodb:leadingkeys': 'several',
  'ecs:cluster': 'one',
  'elasticfilesystem:accessedviamounttarget': 'one',
  'elasticfilesystem:accesspointarn': 'one',
  'iam:passedtoservice': 'one',
};

/** Prefixes of the keys for a tag of the resource, and for a pair of KMS's encryption context. */
const NAMED_KEYS = ['aws:resourcetag/', 'kms:encryptioncontext:'];

type Compare = (wanted: string) => (value: string) => boolean;

interface Operator {
  readonly compare: Compare;
  /** Whether the operator holds if no wanted value matches, including for an absent key. */
  readonly negated?: true;
}

const equals: Compare = (wanted) => (value) => value === wanted;
const like: Compare = (wanted) => wildcard(wanted).matches;
const arnLike: Compare = (wanted) => arnWildcard(wanted).matches;

const OPERATORS: Readonly<Record<string, Operator>> = {
  StringEquals: { compare: equals },
  StringNotEquals: { compare: equals, negated: true },
  StringLike: { compare: like },
  // ArnEquals and ArnLike are the same, and both support wildcards.
  ArnEquals: { compare: arnLike },
  ArnLike: { compare: arnLike },
  Bool: { compare: (wanted) => (value) => value.toLowerCase() === wanted.toLowerCase() },
};

type Quantifier = (values: readonly string[] | undefined, test: (value: string) => boolean) => boolean;

const SETS: Readonly<Record<string, Quantifier>> = {
  // ForAllValues holds for an absent key, which is why policies add a `Null` condition.
  ForAllValues: (values = [], test) => values.every(test),
  ForAnyValue: (values = [], test) => values.some(test),
};

const entryOf = <Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

const isAbsent = (values: readonly string[] | undefined) => values === undefined || values.length === 0;

function nullCondition(key: string, wanted: readonly string[]): Condition {
  const name = key.toLowerCase();
  return {
    key,
    holds: (context) => wanted.some((text) => isAbsent(context[name]) === (text.toLowerCase() === 'true')),
  };
}

/**
 * Compiles a condition.
 * @param operator such as `ForAllValues:StringLike`
 * @param where describes the statement in a sentence
 * @throws LocalError if the operator or the key cannot be evaluated
 */
export function parseCondition(operator: string, key: string, wanted: readonly string[], where: string): Condition {
  const name = key.toLowerCase();
  const kind = NAMED_KEYS.some((prefix) => name.startsWith(prefix)) ? 'one' : entryOf(KEYS, name);
  if (!kind) throw new LocalError(`${where} has a condition on ${key}, a key that is not known here.`);
  if (operator === 'Null') return nullCondition(key, wanted);

  const [prefix, base] = operator.includes(':') ? operator.split(':') : [undefined, operator];
  const known = entryOf(OPERATORS, base ?? '');
  const set = prefix === undefined ? undefined : entryOf(SETS, prefix);
  if (!known || (prefix !== undefined && !set))
    throw new LocalError(`${where} has the condition operator ${operator}, which is not known here.`);
  if (kind === 'several' && !set)
    throw new LocalError(`${where} compares ${key}, which has several values, without ForAllValues or ForAnyValue.`);

  const { negated = false } = known;
  const comparisons = wanted.map((text) => known.compare(text));
  const test = (value: string) => comparisons.some((compare) => compare(value)) !== negated;
  if (set) return { key, holds: (context) => set(context[name], test) };
  return {
    key,
    holds(context) {
      const [value] = context[name] ?? [];
      return value === undefined ? negated : test(value);
    },
  };
}
