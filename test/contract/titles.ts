/** The titles of tests, read from their sources: nothing is run for them. */
import { readFileSync } from 'node:fs';
import { parseSync } from '@swc/core';

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** What makes a test of a title; `inBrowser` is that of the console (`test/console/over-start.ts`). */
const MAKERS: readonly unknown[] = ['it', 'inBrowser'];

/** One of them, also behind `.each(...)`; `it.skip` and `it.todo` are no tests. */
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
  return first?.expression.type === 'StringLiteral' ? String(first.expression.value) : undefined;
}

function titlesBelow(value: unknown): string[] {
  if (!isNode(value)) return [];
  const title = value.type === 'CallExpression' && isIt(value.callee) ? literalIn(value) : undefined;
  return [...(title === undefined ? [] : [title]), ...Object.values(value).flatMap(titlesBelow)];
}

/** The titles of all tests of a file, as its source has them: `%s` stands for what differs between the rows of a table. */
export const titlesOf = (file: string): string[] =>
  titlesBelow(parseSync(readFileSync(file, 'utf8'), { syntax: 'typescript' }));

/** The ids that a title names: `[job.id][job.status] is in every answer` names two. */
export function idsIn(title: string): string[] {
  const [named = ''] = /^(?:\[[^\]]+\])+/.exec(title) ?? [];
  return named.slice(1, -1).split('][').filter(Boolean);
}
