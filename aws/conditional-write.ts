/** Conditional writes: compiles a row of the transition table to one DynamoDB update, and interprets refusals. */

import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { guardsOnJob } from '../core/jobs/machine.ts';
import {
  type Expression,
  type FactsOf,
  type Field,
  isFact,
  type Term,
  type Transition,
  type TransitionName,
  transitions,
} from '../core/jobs/transitions.ts';
import { SCHEMA_ATTRIBUTE, SCHEMA_VERSION } from '../core/stored-items/schema-version.ts';
import { itemIn } from './images.ts';

export interface ConditionalWrite {
  readonly UpdateExpression: string;
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues: Record<string, unknown>;
}

const isField = (term: Term): term is Extract<Term, string> => typeof term === 'string' && !isFact(term);

/** A term that the caller knows, in contrast to a field of the stored job. */
type KnownTerm = Exclude<Term, Field>;

/** A write without its values, which placeholders stand for. */
interface Plan extends Omit<ConditionalWrite, 'ExpressionAttributeValues'> {
  readonly values: readonly (readonly [placeholder: string, term: KnownTerm])[];
}

/**
 * Translates a transition into the expressions of an update.
 * @param missing facts without a value, such as a missing output. The update removes the fields that they would set
 */
function planFor(row: Transition, missing: readonly string[]): Plan {
  const { from, to, set, remove } = row;
  const names: Record<string, string> = {};
  const values: [string, KnownTerm][] = [];

  const fieldName = (field: string) => {
    names[`#${field}`] = field;
    return `#${field}`;
  };
  const placeholder = (term: KnownTerm) => {
    const key = `:v${values.length}`;
    values.push([key, term]);
    return key;
  };
  const literal = (value: string | number) => placeholder({ value });
  const operand = (term: Term) => (isField(term) ? fieldName(term) : placeholder(term));
  const expression = (term: Expression) =>
    typeof term === 'object' && 'sum' in term ? term.sum.map(operand).join(' + ') : operand(term);
  const isNothing = (term: Expression) => isFact(term) && missing.includes(term);

  const changes = Object.entries(set);
  const sets = changes.filter(([, term]) => !isNothing(term));
  const removed = [...remove, ...changes.filter(([, term]) => isNothing(term)).map(([field]) => field)];

  /** Returns the condition that no newer version has written the item. */
  const ofKnownVersion = () => {
    const version = fieldName(SCHEMA_ATTRIBUTE);
    return `(attribute_not_exists(${version}) OR ${version} <= ${literal(SCHEMA_VERSION)})`;
  };

  const status = fieldName('status');
  const assignments = [
    ...(to ? [`${status} = ${literal(to)}`] : []),
    ...sets.map(([field, term]) => `${fieldName(field)} = ${expression(term)}`),
  ];
  const update = [
    `SET ${assignments.join(', ')}`,
    ...(removed.length > 0 ? [`REMOVE ${removed.map(fieldName).join(', ')}`] : []),
  ];
  const conditions = [
    `${status} IN (${from.map(literal).join(', ')})`,
    ...guardsOnJob(row).map(([left, is, right]) => `${operand(left)} ${is} ${operand(right)}`),
    ofKnownVersion(),
  ];
  return {
    UpdateExpression: update.join(' '),
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: names,
    values,
  };
}

/** Plans by the name of the transition and the facts without a value. */
const plans = new Map<string, Plan>();

export function compile<Name extends TransitionName>(name: Name, facts: FactsOf<Name>): ConditionalWrite {
  const given: Readonly<Record<string, unknown>> = facts;
  const missing = Object.keys(given).filter((fact) => given[fact] === undefined);
  const key = [name, ...missing].join(' ');
  const known = plans.get(key);
  const plan = known ?? planFor(transitions[name], missing);
  if (!known) plans.set(key, plan);

  const { values, ...write } = plan;
  const resolve = (term: KnownTerm) => (typeof term === 'object' ? term.value : given[term]);
  return {
    ...write,
    ExpressionAttributeValues: Object.fromEntries(values.map(([placeholder, term]) => [placeholder, resolve(term)])),
  };
}

/** The reason why the condition of a write did not hold. */
export interface Refusal {
  /** The current item, if there is one and the write requested it: `ReturnValuesOnConditionCheckFailure: 'ALL_OLD'`. */
  readonly item?: Record<string, unknown> | undefined;
  /** Whether the SDK has sent the call more than once. If so, an earlier attempt can be the cause of the refusal. */
  readonly repeated: boolean;
}

/**
 * Returns why the condition of a write did not hold.
 * @throws the error itself if it is not the refusal of a conditional write
 */
export function refusalIn(error: unknown): Refusal {
  if (!(error instanceof ConditionalCheckFailedException)) throw error;
  return { item: error.Item && itemIn(error.Item), repeated: (error.$metadata.attempts ?? 1) > 1 };
}

/** Returns true if the write took place, and false if its condition did not hold. */
export async function unlessRefused(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    const reasons = error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : [];
    if (reasons.some(({ Code }) => Code === 'ConditionalCheckFailed')) return false;
    throw error;
  }
}
