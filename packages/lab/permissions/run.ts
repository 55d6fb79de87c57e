/**
 * What `npm run permissions -w packages/lab` does. Loads the stacks, which takes seconds, so the help does not load
 * this module.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesizeBoth } from './assemblies.ts';
import { exercise } from './exercise.ts';
import { findings } from './findings.ts';
import { type Grant, mergedGrants, readUsage } from './grants.ts';
import { roleNamed } from './names.ts';
import { PAGE, page } from './page.ts';
import { type Removal, removalsFrom } from './removals.ts';

const shown = ({ role, action, resource }: Grant) => `  ${role}  ${action}  on ${resource}`;

function report(grants: readonly Grant[]): void {
  const unused = grants.filter(({ used }) => used === 0);
  console.log(`${grants.length} permissions, ${unused.length} of them never used:`);
  for (const grant of unused) console.log(shown(grant));
  const found = findings(grants);
  console.log(found.length === 0 ? `${PAGE} explains them all.` : `Differences from ${PAGE}:\n  ${found.join('\n  ')}`);
  process.exitCode = found.length === 0 ? 0 : 1;
}

/** Runs an action with a temporary folder. */
async function inFolder<Result>(act: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-permissions-'));
  try {
    return await act(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns the refusal of the run, if it was of the removed permission, or another failure */
function verdict({ role, actions }: Removal, failure: string | undefined): { noticed: boolean; text: string } {
  if (failure === undefined) return { noticed: false, text: 'nothing failed' };
  const [line, refused = '', action = ''] = /AccessDenied: role (\S+) may not (\S+) on \S+/.exec(failure) ?? [];
  if (line && roleNamed(refused) === role && actions.includes(action)) return { noticed: true, text: line };
  return { noticed: false, text: `failed for another reason: ${failure}` };
}

async function prove(filters: readonly string[], by: 'statement' | 'action'): Promise<void> {
  await inFolder(async (folder) => {
    const assemblies = synthesizeBoth(folder);
    const all = removalsFrom(assemblies, by).filter(
      ({ role, actions }) =>
        filters.length === 0 || filters.some((word) => `${role} ${actions.join(' ')}`.includes(word)),
    );
    const chosen = all.filter(({ isUnused }) => !isUnused);
    let survivors = 0;
    for (const removal of chosen) {
      const begin = performance.now();
      const failure = await inFolder((own) => exercise(removal.apply(assemblies, own)).then(() => undefined, String));
      const { noticed, text } = verdict(removal, failure);
      if (!noticed) survivors += 1;
      const seconds = ((performance.now() - begin) / 1_000).toFixed(1).padStart(6);
      console.log(`${noticed ? 'noticed ' : 'SURVIVED'} ${seconds} s  ${removal.role} ${removal.actions.join(' ')}`);
      console.log(`            ${removal.statement}: ${text}`);
    }
    console.log(`${chosen.length - survivors} of ${chosen.length} ${by}s are needed`);
    console.log(`${all.length - chosen.length} skipped, because ${PAGE} explains why they are unused`);
    process.exitCode = survivors > 0 || chosen.length === 0 ? 1 : 0;
  });
}

export interface Values {
  readonly usage?: string;
  readonly page: boolean;
  readonly prove: boolean;
  readonly actions: boolean;
}

/** @param words parts of roles and actions, with `prove` */
export async function run(values: Values, filters: readonly string[]): Promise<void> {
  if (values.page) writeFileSync(PAGE, page());
  else if (values.prove) await prove(filters, values.actions ? 'action' : 'statement');
  else if (values.usage !== undefined) report(mergedGrants(readUsage(values.usage)));
  else report(await inFolder((folder) => exercise(synthesizeBoth(folder))));
}
