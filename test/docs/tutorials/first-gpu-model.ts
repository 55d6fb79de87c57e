/** The commands of `docs/tutorials/first-gpu-model.md` that its test does not run. The page lists them itself. */
import { readFileSync } from 'node:fs';
import { linesOf, type Step, stepsOf } from './page.ts';

const PAGE = 'docs/tutorials/first-gpu-model.md';
const HEADING = '## What the test of this page does not run';
/** Stands for the rest of a command in the list. */
const REST = ' …';

export const page = readFileSync(PAGE, 'utf8');
const [tutorial = '', list = ''] = page.split(HEADING);

export const steps: readonly Step[] = stepsOf(tutorial);
/** Every line that the reader types. */
export const typed: readonly string[] = steps.flatMap((step) => (step.does === 'type' ? linesOf(step) : []));
/** Commands of the list, which can end with `REST`. */
export const listed: readonly string[] = [...list.matchAll(/^\| `(.+?)`/gm)].map(([, command = '']) => command);

/** Returns whether the command of the list stands for the line. */
export const standsFor = (command: string, line: string): boolean =>
  command.endsWith(REST) ? line.startsWith(command.slice(0, -REST.length)) : line === command;

/** Commands for which `rules.ts` has a rule. */
const RULED = /^python3 -m venv /;

/** Lines that the test leaves out. */
export const notRun: readonly string[] = typed.filter(
  (line) => !RULED.test(line) && listed.some((command) => standsFor(command, line)),
);
