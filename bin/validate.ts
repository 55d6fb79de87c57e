/** `gpu-endpoints validate`: checks what a team declares, before it is deployed. */

import { declarationsFolder } from './assembly/app-folder.ts';
import { type Context, settingsOf } from './assembly/context.ts';
import { type Size, sizesIn } from './assembly/sizes.ts';
import { SynthesisFailed, synthesizeTemplates } from './assembly/synthesize.ts';
import { printJson } from './client/print.ts';
import type { RepositoryFlags } from './repository/options.ts';
import { type Overridden, overriddenIn } from './validate/overridden.ts';
import { unknownTemplates } from './validate/unknown-templates.ts';

/** Share of a limit from which a size is worth a warning. */
const NEAR = 0.9;

/** Returns the largest size of each kind, over all stacks. */
function largestOf(sizes: readonly Size[]): Size[] {
  const kinds = Map.groupBy(sizes, ({ kind }) => kind);
  return [...kinds.values()].flatMap((those) => those.toSorted((one, other) => other.size - one.size).slice(0, 1));
}

const lineOf = ({ stack, what, size, limit }: Size) =>
  `${size > limit ? 'problem ' : size > NEAR * limit ? 'warning ' : 'ok      '}   ${stack}: ${size} ${what}; at most ${limit} are allowed`;

const textOf = (value: unknown) => (value === undefined ? 'no value' : JSON.stringify(value));
const overrideOf = (environment: string, { endpoint, field, ...values }: Overridden) =>
  `${environment}      ${endpoint}: \`${field}\` ${'value' in values ? `is ${textOf(values.value)} instead of ${textOf(values.without)}` : 'is overridden'}`;

interface Checked {
  readonly sizes: readonly Size[];
  readonly overridden: readonly Overridden[];
  readonly warnings: readonly string[];
  readonly environment: string;
}

function printChecked({ sizes, overridden, warnings, environment }: Checked, stacks: number, seconds: number): void {
  const problems = sizes.filter(({ size, limit }) => size > limit);
  const shown = [...new Set([...largestOf(sizes), ...problems])];
  const lines = [
    ...warnings.map((warning) => `warning    ${warning}`),
    ...overridden.map((field) => overrideOf(environment, field)),
    ...shown.map(lineOf),
  ];
  console.log(lines.join('\n'));
  console.log(
    `\n${stacks} stacks, ${problems.length} problems, in ${seconds} s.${problems.length === 0 ? ' The declarations are valid.' : ''}`,
  );
}

async function check(context: Context): Promise<Checked> {
  const sizes = await synthesizeTemplates(context, sizesIn);
  const root = declarationsFolder();
  const { environment, fields } = overriddenIn(root, context);
  const warnings = unknownTemplates(root, environment === '' ? undefined : environment);
  return { sizes, overridden: fields, warnings, environment };
}

/** Prints the largest stacks, the fields that the environment overrides and warnings. Sets the exit code. */
export async function validate(flags: RepositoryFlags): Promise<void> {
  const began = performance.now();
  try {
    const checked = await check(settingsOf(flags));
    const { sizes, overridden, warnings } = checked;
    const stacks = new Set(sizes.map(({ stack }) => stack)).size;
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    if (flags.json) printJson({ stacks, seconds, sizes, overridden, warnings });
    else printChecked(checked, stacks, seconds);
    if (sizes.some(({ size, limit }) => size > limit)) process.exitCode = 1;
  } catch (error) {
    if (!flags.json || !(error instanceof SynthesisFailed)) throw error;
    printJson({ problems: error.problems });
    process.exitCode = 1;
  }
}
