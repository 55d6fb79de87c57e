/** The stacks of a deployment that exist already. What they contain is not added again. */
import { DESCRIPTION_PREFIX } from '../../core/deployment.ts';
import type { DeclaredStack } from '../assembly/app.ts';
import type { Account } from './account.ts';

/** Statuses of a stack that keeps its resources. A first creation that failed has deleted them. */
const KEEPS = /^(?:CREATE_COMPLETE|CREATE_IN_PROGRESS|(?:UPDATE|IMPORT)_\w+)$/;

/**
 * Returns the ids of the declared stacks that are deployed.
 * @throws CallFailed if the call fails or times out
 */
export async function presentStacks(
  { stacks }: Account,
  declared: readonly DeclaredStack[],
): Promise<ReadonlySet<string>> {
  const deployed = (await stacks()).filter(
    ({ description, status }) => description.startsWith(DESCRIPTION_PREFIX) && KEEPS.test(status),
  );
  const names = new Set(deployed.map(({ name }) => name));
  return new Set(declared.filter(({ name }) => names.has(name)).map(({ id }) => id));
}
