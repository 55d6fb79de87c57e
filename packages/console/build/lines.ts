/**
 * Prints the lines of the console by folder, without tests: now and at a commit. Lines of files that were added since
 * then are apart, and so is generated code.
 *
 *     npm run lines -w packages/console -- COMMIT
 */
import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';

const [, , commit = 'HEAD'] = process.argv;
const cwd = dirname(import.meta.dirname);
const git = (...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 26 });
const files = (at: string) => git('ls-tree', '-r', '--name-only', at, '.').split('\n').filter(Boolean);
const isSource = (path: string) => /\.(?:tsx?|css|html|json)$/.test(path) && !path.startsWith('test/');

const before = new Set(files(commit));
const table = new Map<string, { before: number; now: number; added: number }>();
function count(at: string, column: 'before' | 'now' | 'added', path: string): void {
  const text = git('show', `${at}:./${path}`);
  const folder = text.startsWith('/** Written by') ? 'generated' : dirname(path);
  const row = table.get(folder) ?? { before: 0, now: 0, added: 0 };
  row[column] += text.split('\n').length - 1;
  table.set(folder, row);
}
for (const path of files(commit).filter(isSource)) count(commit, 'before', path);
for (const path of files('HEAD').filter(isSource)) count('HEAD', before.has(path) ? 'now' : 'added', path);

const written = [...table].filter(([folder]) => folder !== 'generated').map(([, row]) => row);
const total = (column: 'before' | 'now' | 'added') => written.reduce((sum, row) => sum + row[column], 0);
const all = { before: total('before'), now: total('now'), added: total('added') };
console.log(`${'lines, without tests'.padEnd(28)}  before     now   added`);
for (const [name, row] of [
  ...[...table].toSorted(([one], [other]) => one.localeCompare(other)),
  ['all but generated', all] as const,
])
  console.log(name.padEnd(28), ...[row.before, row.now, row.added].map((lines) => String(lines).padStart(7)));
