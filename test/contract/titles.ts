/** Reads the titles of tests from their sources, without running them. */
import { readFileSync } from 'node:fs';
import { parseSync } from '@swc/core';

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Functions that declare a test. `inBrowser` is used for tests of the console (`packages/console/test/over-start.ts`). */
const MAKERS: readonly unknown[] = ['it', 'inBrowser'];

/** Returns whether a call declares a test, including calls after `.each(...)`. `it.skip` and `it.todo` do not. */
function isIt(callee: unknown): boolean {
  if (!isNode(callee)) return false;
  if (callee.type === 'Identifier') return MAKERS.includes(callee.value);
  const each = callee.type === 'CallExpression' ? callee.callee : undefined;
  if (!isNode(each) || each.type !== 'MemberExpression') return false;
  const { object, property } = each as { object: Node; property: Node };
  return isIt(object) && property.value === 'each';
}

function literalIn(call: Node): string | undefined {
  const [first] = call.arguments as { readonly expression: Node }[];
  if (first?.expression.type === 'StringLiteral') return String(first.expression.value);
  if (first?.expression.type !== 'TemplateLiteral') return undefined;
  return (first.expression.quasis as readonly { readonly cooked: string }[]).map(({ cooked }) => cooked).join('%s');
}

function titlesBelow(value: unknown): string[] {
  if (!isNode(value)) return [];
  const title = value.type === 'CallExpression' && isIt(value.callee) ? literalIn(value) : undefined;
  return [...(title === undefined ? [] : [title]), ...Object.values(value).flatMap(titlesBelow)];
}

/**
 * Returns the titles of all tests of a file as in its source: `%s` stands for the values of a table's rows, and of a
 * template literal.
 */
export const titlesOf = (file: string): string[] =>
  titlesBelow(parseSync(readFileSync(file, 'utf8'), { syntax: 'typescript' }));
