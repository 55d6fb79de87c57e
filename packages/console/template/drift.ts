/** Compares a template with its file in Git. The service stores the value in the file of each field that differs. */
import type { Drift, Template, TemplateChanges } from '../api/management-types.ts';
import { type Difference, differences } from './difference.ts';

/** Returns the body of an update that returns the template to its file. */
export const declaredChanges = ({ drift = [] }: Pick<Template, 'drift'>): TemplateChanges =>
  Object.fromEntries(drift.map(({ field, declared }) => [field, declared]));

export interface DriftRow extends Difference {
  readonly change: Drift;
}

/** Returns a row for each field and variable that differs: `from` is the text in the file, `to` the present one. */
export function driftRows(template: Template): DriftRow[] {
  const { drift = [] } = template;
  const now = Object.fromEntries(drift.map(({ field }) => [field, template[field]]));
  return differences({ ...template, ...declaredChanges(template) }, now).flatMap((difference) => {
    const change = drift.find(({ field }) => field === difference.field);
    return change ? [{ ...difference, change }] : [];
  });
}

/** Fields that no file declares. */
const ofClients: readonly string[] = ['name', 'isPublic'];

/** Returns whether the changes set fields that a file declares to other values than those in the file. */
export function leavingFile(
  { declaredIn, drift = [] }: Pick<Template, 'declaredIn' | 'drift'>,
  changes: TemplateChanges,
) {
  const isDeclaredValue = (name: string, value: unknown) =>
    drift.some(({ field, declared }) => field === name && JSON.stringify(declared) === JSON.stringify(value));
  return (
    declaredIn !== undefined &&
    Object.entries(changes).some(([name, value]) => !ofClients.includes(name) && !isDeclaredValue(name, value))
  );
}
