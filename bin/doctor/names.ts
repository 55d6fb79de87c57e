/** Checks the names of the stacks. A deployment would change any stack of another project with the same name. */
import { DESCRIPTION_PREFIX } from '../../core/deployment.ts';
import type { DeclaredStack } from '../assembly/app.ts';
import type { Account } from './account.ts';
import type { Finding } from './finding.ts';
import { warnIfUnchecked } from './target.ts';

export function checkNames(account: Account, declared: readonly DeclaredStack[]): Promise<Finding> {
  const check = 'Stack names';
  return warnIfUnchecked(check, async () => {
    const names = new Set(declared.map(({ name }) => name));
    const taken = (await account.stacks()).filter(({ name }) => names.has(name));
    const foreign = taken
      .filter(({ description }) => !description.startsWith(DESCRIPTION_PREFIX))
      .map(({ name }) => name);
    if (foreign.length === 0)
      return { check, level: 'ok', found: 'No stack of another project has a name that the deployment uses.' };
    return {
      check,
      level: 'problem',
      found: `Stacks of another project have the names ${foreign.join(', ')}: a deployment would overwrite them.`,
      needed: `Names that are free, or that belong to stacks of this service. Their descriptions begin with "${DESCRIPTION_PREFIX.trim()}".`,
      fix: 'choose another name for the deployment with -c deployment=NAME, for this command and for cdk',
    };
  });
}
