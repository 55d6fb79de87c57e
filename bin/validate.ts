/** `gpu-endpoints validate`: checks what a team declares, before it is deployed. */

import { declarationsFolder } from './assembly/app-folder.ts';
import { settingsOf } from './assembly/context.ts';
import { type Size, sizesIn } from './assembly/sizes.ts';
import { synthesizeTemplates } from './assembly/synthesize.ts';
import { printJson } from './client/print.ts';
import type { RepositoryFlags } from './repository/options.ts';
import { type Overridden, overriddenIn } from './validate/overridden.ts';

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

/** Prints the largest stacks and the fields that the environment overrides. Sets the exit code. */
export async function validate(flags: RepositoryFlags): Promise<void> {
  const began = performance.now();
  const context = settingsOf(flags);
  const sizes = await synthesizeTemplates(context, sizesIn);
  const { environment, fields } = overriddenIn(declarationsFolder(), context);
  const problems = sizes.filter(({ size, limit }) => size > limit);
  const shown = [...new Set([...largestOf(sizes), ...problems])];
  const stacks = new Set(sizes.map(({ stack }) => stack)).size;
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  if (flags.json) printJson({ stacks, seconds, sizes, overridden: fields });
  else {
    console.log([...fields.map((field) => overrideOf(environment, field)), ...shown.map(lineOf)].join('\n'));
    console.log(
      `\n${stacks} stacks, ${problems.length} problems, in ${seconds} s.${problems.length === 0 ? ' The declarations are valid.' : ''}`,
    );
  }
  if (problems.length > 0) process.exitCode = 1;
}
