import { CONFLICT, conflictTries, retryOnConflict } from '../stored-items/conflicts.ts';
import type { DeclaredPorts } from './declare.ts';
import { declaredValues } from './drift.ts';
import { type Drift, edited } from './template.ts';

/**
 * Returns a template to the values of its file, without a deployment. A change that requires new workers is rolled out
 * to the endpoints that use the template. A second call changes nothing.
 *
 * Input: the template's id. Output: the drift that was taken back.
 */
export const takeBack = ({ templates, clock }: DeclaredPorts, id: string): Promise<readonly Drift[]> =>
  retryOnConflict(`template ${id}`, conflictTries.declaredTemplate, async () => {
    const present = await templates.read(id);
    if (!present?.drift) return [];
    const next = edited(present, declaredValues(present), clock.now());
    return (await templates.replace(present, next)) === 'written' ? present.drift : CONFLICT;
  });
