/** Metric math of CloudWatch, for one period at a time. Whatever it does not support is refused by name. */
import jsep, { type Expression } from 'jsep';

/** A value of one period. It is undefined if a metric that it needs has no values in the period. */
type Value = number | undefined;
type Operand = Value | readonly Value[];

/** The queries that an expression can use. */
export interface Queries {
  /** Returns the value of the query with the id. */
  value(id: string): Value;
  /** Returns the values of the metrics whose ids contain the text, for `METRICS`. */
  metrics(text: string): readonly Value[];
}

export type Formula = (queries: Queries) => Value;

/** An error of an expression, with a message for its author. */
export class MathError extends Error {
  override readonly name = 'MathError';
}

const asNumber = (isTrue: boolean) => (isTrue ? 1 : 0);

const operators: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '<': (left, right) => asNumber(left < right),
  '>': (left, right) => asNumber(left > right),
  '<=': (left, right) => asNumber(left <= right),
  '>=': (left, right) => asNumber(left >= right),
  '==': (left, right) => asNumber(left === right),
  '!=': (left, right) => asNumber(left !== right),
  '&&': (left, right) => asNumber(left !== 0 && right !== 0),
  '||': (left, right) => asNumber(left !== 0 || right !== 0),
};

/** Applies an operation. CloudWatch has no data point where a value is missing or the result is not a number. */
function apply(operation: (...values: number[]) => number, values: readonly Value[]): Value {
  if (values.some((value) => value === undefined)) return undefined;
  const result = operation(...(values as number[]));
  return Number.isFinite(result) ? result : undefined;
}

/** Returns a function of several metrics, which skips those without a value. */
const ofMetrics =
  (name: string, reduce: (values: readonly number[]) => number) =>
  ([given]: readonly Operand[]): Value => {
    if (!Array.isArray(given)) throw new MathError(`${name} takes a list of metrics here, such as ${name}([a, b])`);
    const values = (given as readonly Value[]).filter((value) => value !== undefined);
    return values.length === 0 ? undefined : reduce(values);
  };

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function numeric(operand: Operand): Value {
  if (typeof operand === 'object') throw new MathError('a list of metrics cannot be used as a number here');
  return operand;
}

function fill([given, replacement]: readonly Operand[]): Operand {
  const filled = (value: Value) => value ?? numeric(replacement);
  return typeof given === 'object' ? given.map(filled) : filled(given);
}

function choose([condition, yes, no]: readonly Operand[]): Value {
  // The operands are checked even if they are not chosen.
  const [holds, whenTrue, whenFalse] = [condition, yes, no].map(numeric);
  if (holds === undefined) return undefined;
  return holds === 0 ? whenFalse : whenTrue;
}

interface MathFunction {
  /** Possible numbers of operands. */
  readonly takes: readonly number[];
  call(operands: readonly Operand[]): Operand;
}

const functions: Readonly<Record<string, MathFunction>> = {
  IF: { takes: [2, 3], call: choose },
  FILL: { takes: [2], call: fill },
  SUM: { takes: [1], call: ofMetrics('SUM', sum) },
  AVG: { takes: [1], call: ofMetrics('AVG', (values) => sum(values) / values.length) },
  MIN: { takes: [1], call: ofMetrics('MIN', (values) => Math.min(...values)) },
  MAX: { takes: [1], call: ofMetrics('MAX', (values) => Math.max(...values)) },
};

function callOf(name: string, operands: readonly Expression[], queries: Queries): Operand {
  if (name === 'METRICS') {
    const [first, ...rest] = operands;
    if (rest.length === 0 && first === undefined) return queries.metrics('');
    if (rest.length === 0 && first?.type === 'Literal' && typeof first.value === 'string')
      return queries.metrics(first.value);
    throw new MathError('METRICS takes nothing or one text');
  }
  const known = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (!known) throw new MathError(`the function ${name} is not supported here`);
  if (!known.takes.includes(operands.length)) throw new MathError(`${name} does not take ${operands.length} operands`);
  return known.call(operands.map((operand) => evaluate(operand, queries)));
}

function evaluate(expression: Expression, queries: Queries): Operand {
  // The types of the parser's nodes are not a union, so each member is read with its own type.
  const node = expression as jsep.CoreExpression;
  switch (node.type) {
    case 'Literal':
      if (typeof node.value === 'number') return node.value;
      throw new MathError(`${node.raw} is not a number`);
    case 'Identifier':
      return queries.value(node.name);
    case 'ArrayExpression':
      return node.elements.map((element) => (element ? numeric(evaluate(element, queries)) : undefined));
    case 'UnaryExpression':
      if (node.operator !== '-') throw new MathError(`the operator ${node.operator} is not supported here`);
      return apply((value) => -value, [numeric(evaluate(node.argument, queries))]);
    case 'BinaryExpression': {
      const operation = Object.hasOwn(operators, node.operator) ? operators[node.operator] : undefined;
      if (!operation) throw new MathError(`the operator ${node.operator} is not supported here`);
      return apply(operation, [numeric(evaluate(node.left, queries)), numeric(evaluate(node.right, queries))]);
    }
    case 'CallExpression':
      if (node.callee.type === 'Identifier') return callOf(String(node.callee.name), node.arguments, queries);
  }
  throw new MathError('it has a syntax that metric math does not have');
}

/**
 * Parses an expression.
 * @throws MathError for an expression that is wrong or not supported
 */
export function parseFormula(text: string): Formula {
  let expression: Expression;
  try {
    expression = jsep(text);
  } catch (cause) {
    throw new MathError((cause as Error).message, { cause });
  }
  return (queries) => numeric(evaluate(expression, queries));
}
