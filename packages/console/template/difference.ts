/** Lists the changes of an edit, so that the user can review them before saving. */
import type { Template, TemplateChanges } from '../api/management-types.ts';
import { byName, isConcealed, valueShown } from './env.ts';
import { type Field, fields, isField } from './fields.ts';

export interface Difference {
  readonly field: Field;
  readonly label: string;
  /** Old text; undefined if there was none. */
  readonly from?: string | undefined;
  /** New text; undefined if there is none. */
  readonly to?: string | undefined;
  /** Whether the change replaces workers. */
  readonly rollsOut: boolean;
}

/**
 * Formats the entries of a list: ports as they are, and words of a command as JSON, because a word can contain spaces. An
 * empty list becomes a phrase that explains its meaning.
 */
const listShown = (entries: readonly string[], field: Field) => {
  if (field === 'ports') return entries.join(', ') || 'None';
  return entries.map((entry) => JSON.stringify(entry)).join(' ') || "The image's own";
};

/** Returns the text of a value. */
export function shown(field: Field, value: unknown): string {
  if (Array.isArray(value)) return listShown(value.map(String), field);
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (value === '') return field === 'readme' ? 'Empty' : 'None';
  return field === 'containerDiskInGb' || field === 'volumeInGb' ? `${String(value)} GB` : String(value);
}

/** Returns the lines that differ, without the lines that both texts share at the beginning and the end. */
export function changedLines(from: string, to: string): { readonly from: string; readonly to: string } {
  const before = from.split('\n');
  const after = to.split('\n');
  const minLength = Math.min(before.length, after.length);
  let start = 0;
  while (start < minLength && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < minLength - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const rest = (lines: readonly string[]) => lines.slice(start, lines.length - end).join('\n');
  return { from: rest(before), to: rest(after) };
}

type Variables = Readonly<Record<string, string>>;

function* envDifferences(from: Variables, to: Variables): Generator<Difference> {
  const { rollsOut } = fields.env;
  for (const name of [...new Set([...Object.keys(from), ...Object.keys(to)])].toSorted(byName)) {
    const [before, after] = [from[name], to[name]];
    if (before === after) continue;
    const isNew = before !== undefined && after !== undefined && isConcealed(name, before) && isConcealed(name, after);
    yield {
      field: 'env',
      label: `Variable ${name}`,
      from: before === undefined ? undefined : valueShown(name, before),
      to: after === undefined ? undefined : isNew ? 'Another hidden value' : valueShown(name, after),
      rollsOut,
    };
  }
}

/**
 * @param from the stored template
 * @param changes body of the update
 * @returns one entry for each changed field and each changed variable, in the order of the form
 */
export function differences(from: Template, changes: TemplateChanges): Difference[] {
  const changed = Object.keys(fields).filter((name) => isField(name) && Object.hasOwn(changes, name)) as Field[];
  return changed.flatMap((field) => {
    if (field === 'env') return [...envDifferences(from.env, changes.env ?? {})];
    const { label, rollsOut } = fields[field];
    const to = changes[field as keyof TemplateChanges];
    const lines = field === 'readme' ? changedLines(from.readme, changes.readme ?? '') : { from: from[field], to };
    return [{ field, label, rollsOut, from: shown(field, lines.from), to: shown(field, lines.to) }];
  });
}

/** Returns the fields that this edit would overwrite: another user has changed them since the form was filled. */
export function overwritten(filled: Template, present: Template, changes: TemplateChanges): Field[] {
  const same = (field: Field) => JSON.stringify(filled[field]) === JSON.stringify(present[field]);
  return Object.keys(changes).filter((name): name is Field => isField(name) && !same(name));
}
