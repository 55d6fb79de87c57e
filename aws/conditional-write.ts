/** Conditional writes: compiles a row of the transition table to one DynamoDB update, and interprets refusals. */
import { guardsOnJob } from '../core/jobs/machine.ts';
import {
  type Expression,
  type FactsOf,
  isFact,
  type Term,
  type Transition,
  type TransitionName,
  transitions,
} from '../core/jobs/transitions.ts';
import { SCHEMA_ATTRIBUTE, SCHEMA_VERSION } from '../core/schema-version.ts';
import { itemIn } from './images.ts';
import { isConditionalCheckFailed, isTransactionCanceled } from './services/dynamodb.ts';

export interface ConditionalWrite {
  readonly UpdateExpression: string;
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues: Record<string, unknown>;
}

const isField = (term: Term): term is Extract<Term, string> => typeof term === 'string' && !isFact(term);

export function compile<Name extends TransitionName>(name: Name, facts: FactsOf<Name>): ConditionalWrite {
  const row: Transition = transitions[name];
  const { from, to, set, remove } = row;
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};

  const fieldName = (field: string) => {
    names[`#${field}`] = field;
    return `#${field}`;
  };
  const placeholder = (value: unknown) => {
    const key = `:v${Object.keys(values).length}`;
    values[key] = value;
    return key;
  };
  const factOf = (term: Term) => (typeof term === 'object' ? term.value : (facts as Record<string, unknown>)[term]);
  const operand = (term: Term) => (isField(term) ? fieldName(term) : placeholder(factOf(term)));
  const expression = (term: Expression) =>
    typeof term === 'object' && 'sum' in term ? term.sum.map(operand).join(' + ') : operand(term);
  /** Returns whether the term is a fact without a value, such as a missing output. The update removes its field. */
  const isNothing = (term: Expression) => isFact(term) && factOf(term) === undefined;

  const changes = Object.entries(set);
  const sets = changes.filter(([, term]) => !isNothing(term));
  const removed = [...remove, ...changes.filter(([, term]) => isNothing(term)).map(([field]) => field)];

  /** Returns the condition that no newer version has written the item. */
  const ofKnownVersion = () => {
    const version = fieldName(SCHEMA_ATTRIBUTE);
    return `(attribute_not_exists(${version}) OR ${version} <= ${placeholder(SCHEMA_VERSION)})`;
  };

  const status = fieldName('status');
  const assignments = [
    ...(to ? [`${status} = ${placeholder(to)}`] : []),
    ...sets.map(([field, term]) => `${fieldName(field)} = ${expression(term)}`),
  ];
  const update = [
    `SET ${assignments.join(', ')}`,
    ...(removed.length > 0 ? [`REMOVE ${removed.map(fieldName).join(', ')}`] : []),
  ];
  const conditions = [
    `${status} IN (${from.map(placeholder).join(', ')})`,
    ...guardsOnJob(row).map(([left, is, right]) => `${operand(left)} ${is} ${operand(right)}`),
    ofKnownVersion(),
  ];
  return {
    UpdateExpression: update.join(' '),
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  };
}

/** The reason why the condition of a write did not hold. */
export interface Refusal {
  /** The current item, if there is one and the write requested it: `ReturnValuesOnConditionCheckFailure: 'ALL_OLD'`. */
  readonly item?: Record<string, unknown>;
  /** Whether the SDK has sent the call more than once. If so, an earlier attempt can be the cause of the refusal. */
  readonly repeated: boolean;
}

/** @throws the error itself if it is not the refusal of a conditional write */
export function refusalIn(error: unknown): Refusal {
  if (!isConditionalCheckFailed(error)) throw error;
  return { item: error.Item && itemIn(error.Item), repeated: (error.$metadata.attempts ?? 1) > 1 };
}

/** Returns true if the write took place, and false if its condition did not hold. */
export async function unlessRefused(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (isConditionalCheckFailed(error)) return false;
    const reasons = isTransactionCanceled(error) ? (error.CancellationReasons ?? []) : [];
    if (reasons.some(({ Code }) => Code === 'ConditionalCheckFailed')) return false;
    throw error;
  }
}
