/**
 * `npm run bounds -w packages/lab`: checks that no input takes a parser too much time or memory. Exits with 1 if a
 * pattern can take more than linear time, or a parser exceeds the limit of the place where it runs.
 */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import pLimit from 'p-limit';
import { readFlags, runCommand } from '../../../bin/flags.ts';
import { table } from '../../../bin/pages/aligned-table.ts';
import { boundsPage, PAGE } from './page.ts';
import { parsersOf, places } from './parsers/all.ts';
import { incomplete } from './parsers/complete.ts';
import type { Measured } from './parsers/measure.ts';
import type { Parser, Place } from './parsers/parser.ts';
import { violationsOf } from './parsers/rules.ts';
import { accepted } from './patterns/accepted.ts';
import { checkPatterns } from './patterns/check.ts';

const help = `Usage: npm run bounds -w packages/lab -- [options]

Checks each regular expression of the product for exponential and polynomial time, and feeds each parser its worst input
at the largest size that its limit permits. Prints tables, and exits with 1 if a limit is exceeded. Takes about five
minutes of processor time.

  --only PART   patterns or parsers
  --place P     only the parsers of ingress, agent, function or console
  --page        writes docs/reference/bounds.md, which lists the parsers and their limits, and measures nothing
  --help        prints this help
`;

const options = {
  only: { type: 'string' },
  place: { type: 'string' },
  page: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const run = promisify(execFile);
const MB = 1_024 * 1_024;
/** Number of parsers that are measured at the same time. Only their processor time counts. */
const AT_ONCE = 2;

async function patterns(): Promise<readonly string[]> {
  const { checked, files, problems } = await checkPatterns();
  console.log(`${checked} patterns in ${files} files are linear, except:\n`);
  const rows = accepted.map(({ file, pattern, reason, bound }) => [file, pattern, reason, bound]);
  console.log(`${table(['file', 'pattern', 'texts', 'bound'], 4, rows)}\n`);
  return problems;
}

/** Measures a parser in a process of its own, with the options of the agent's image. */
async function measured(place: Place, { parses }: Parser): Promise<Measured> {
  const script = 'packages/lab/bounds/parsers/measure.ts';
  const flags = ['--expose-gc', '--max-semi-space-size=2', '--disable-warning=ExperimentalWarning'];
  const { stdout } = await run(process.execPath, [...flags, script, place, parses], { timeout: 600_000 });
  return JSON.parse(stdout) as Measured;
}

async function parsers(place: Place): Promise<readonly string[]> {
  const problems: string[] = [];
  const rows: (string | number)[][] = [];
  const all = await parsersOf(place);
  const measurements = await pLimit(AT_ONCE).map(all, async (parser) => ({
    parser,
    figures: await measured(place, parser),
  }));
  for (const { parser, figures } of measurements) {
    const { block, half, whole, memory } = figures;
    const times = [block, half, whole].map((time) => time.toFixed(1));
    rows.push([parser.parses, parser.worst, parser.limit, parser.size, ...times, Math.ceil(memory / MB)]);
    problems.push(...violationsOf(place, parser, figures).map((what) => `${place}: ${parser.parses} ${what}.`));
  }
  const head = ['parser', 'worst input', 'limit', 'size', 'block ms', 'half ms', 'whole ms', 'MB'];
  console.log(`### ${place}\n\n${table(head, 3, rows)}\n`);
  return problems;
}

runCommand(async () => {
  const { only, place, page, help: wanted } = readFlags('bounds -w packages/lab', options, process.argv.slice(2));
  if (wanted) return void console.log(help);
  if (page) return writeFileSync(PAGE, await boundsPage());
  if (only !== undefined && !['patterns', 'parsers'].includes(only))
    throw new Error(`--only is ${only}; it must be patterns or parsers.`);
  const chosen = place === undefined ? places : places.filter((known) => known === place);
  if (chosen.length === 0) throw new Error(`--place is ${place}; it must be ${places.join(', ')}.`);
  const problems: string[] = [];
  if (only !== 'parsers') problems.push(...(await patterns()));
  if (only !== 'patterns') {
    const files = (await Promise.all(places.map(parsersOf))).flat().map(({ file }) => file);
    problems.push(...incomplete(files));
    for (const each of chosen) problems.push(...(await parsers(each)));
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
});
