/**
 * `gpu-endpoints doctor`: checks whether a first deployment would succeed. For each problem, prints
 * how to solve it.
 */

import { settingsOf } from './assembly/context.ts';
import { declaredRegion } from './chosen-deployment.ts';
import { printJson } from './client/print.ts';
import { examine } from './doctor/examine.ts';
import type { Finding } from './doctor/finding.ts';
import { outsideOf } from './doctor/outside.ts';
import { textsOf } from './doctor/text.ts';
import type { RepositoryFlags } from './repository/options.ts';

function summary(findings: readonly Finding[]): string {
  const count = (wanted: Finding['level']) => findings.filter(({ level }) => level === wanted).length;
  const [problems, warnings] = [count('problem'), count('warning')];
  return `\n${problems} problems, ${warnings} warnings.${problems === 0 ? ' Ready to deploy.' : ''}`;
}

/** Prints the result of each check. Sets the exit code. */
export async function doctor(flags: RepositoryFlags): Promise<void> {
  const context = settingsOf(flags);
  const findings = await examine(await outsideOf(process.env, context, declaredRegion(context)));
  if (flags.json) printJson({ findings });
  else console.log([...textsOf(findings), summary(findings)].join('\n'));
  if (findings.some(({ level }) => level === 'problem')) process.exitCode = 1;
}
