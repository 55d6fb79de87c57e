/** Finds the regular expressions of the product in its sources. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseSync } from '@swc/core';

/** Folders of the product. Tests, documents and examples process no bytes of clients or workers. */
const ROOMS = ['aws', 'bin', 'core', 'ingress', 'lambda', 'lib', 'packages/console', 'packages/emulator', 'worker'];
const SOURCES = ['*.ts', '*.tsx', '*.js', '*.mjs'];

export interface Pattern {
  /** Path from the root of the repository. */
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

export interface Found {
  /** Literals, and calls of `RegExp` whose arguments are literals. */
  readonly patterns: readonly Pattern[];
  /** Files that build patterns at run time: `RegExp` is called with other arguments than literals. */
  readonly builders: readonly string[];
}

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

const isRegExp = (callee: unknown) => isNode(callee) && callee.type === 'Identifier' && callee.value === 'RegExp';

function argumentsOf({ arguments: sent }: Node): readonly (string | undefined)[] {
  const values = (sent ?? []) as readonly { readonly expression: Node }[];
  return values.map(({ expression: { type, value } }) => (type === 'StringLiteral' ? String(value) : undefined));
}

/** Yields the pattern of a literal or call, or undefined for a call that builds one at run time. */
function* below(value: unknown): Generator<Omit<Pattern, 'file'> | undefined, void> {
  if (!isNode(value)) return;
  if (value.type === 'RegExpLiteral') yield { source: String(value.pattern), flags: String(value.flags) };
  else if ((value.type === 'NewExpression' || value.type === 'CallExpression') && isRegExp(value.callee)) {
    const [source, flags = ''] = argumentsOf(value);
    yield source === undefined ? undefined : { source, flags };
  }
  for (const child of Object.values(value)) yield* below(child);
}

/** Returns the patterns of one source, undefined for each that is built at run time. */
export const patternsIn = (text: string): (Omit<Pattern, 'file'> | undefined)[] => [
  ...below(parseSync(text, { syntax: 'typescript', tsx: false })),
];

function patternsOf(file: string): (Omit<Pattern, 'file'> | undefined)[] {
  const tree = parseSync(readFileSync(file, 'utf8'), { syntax: 'typescript', tsx: file.endsWith('x') });
  return [...below(tree)];
}

/** Returns the sources of the product, without its tests. */
export function productFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...SOURCES], {
    encoding: 'utf8',
  });
  const isProduct = (file: string) => ROOMS.some((room) => file.startsWith(`${room}/`)) && !file.includes('/test/');
  return listed.split('\n').filter(isProduct);
}

export function findPatterns(files: readonly string[] = productFiles()): Found {
  const found = files.flatMap((file) => patternsOf(file).map((pattern) => ({ file, pattern })));
  return {
    patterns: found.flatMap(({ file, pattern }) => (pattern ? [{ file, ...pattern }] : [])),
    builders: [...new Set(found.filter(({ pattern }) => !pattern).map(({ file }) => file))],
  };
}
