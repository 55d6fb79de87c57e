/** Lists the fields of deployed templates that differ from their files, and takes them back. */

import type { DeclaredPorts } from '../../core/templates/declare.ts';
import { type DriftResponse, declaringFile, driftPhrase, driftResponseOf } from '../../core/templates/drift.ts';
import { takeBack } from '../../core/templates/take-back.ts';
import type { Drift, Template } from '../../core/templates/template.ts';

/** A field with drift, without its values: they can be secret, and workflows print the output. */
export interface DriftedField extends Omit<DriftResponse, 'declared'> {
  /** The file that declares the template. */
  readonly file: string;
  /** Id of the template. */
  readonly template: string;
}

const fieldsOf = (template: Template, drift: readonly Drift[]): DriftedField[] =>
  driftResponseOf(drift).map(({ declared: _, ...rest }) => ({
    file: declaringFile(template) ?? '',
    template: template.id,
    ...rest,
  }));

async function drifted({ templates }: DeclaredPorts): Promise<readonly Template[]> {
  const found: Template[] = [];
  for await (const template of templates.list()) if (template.drift) found.push(template);
  return found;
}

/** Returns all fields with drift, sorted by template. */
export const driftedFields = async (ports: DeclaredPorts): Promise<readonly DriftedField[]> =>
  (await drifted(ports)).flatMap((template) => fieldsOf(template, template.drift ?? []));

/**
 * Takes back all drift, one template after the other.
 * @returns the fields that were taken back
 */
export async function takeBackAll(ports: DeclaredPorts): Promise<readonly DriftedField[]> {
  const fields: DriftedField[] = [];
  for (const template of await drifted(ports)) fields.push(...fieldsOf(template, await takeBack(ports, template.id)));
  return fields;
}

/** Returns the lines of the command, or none without drift. */
export function driftLines(fields: readonly DriftedField[], isTakenBack: boolean): readonly string[] {
  if (fields.length === 0) return [];
  const heading = isTakenBack
    ? 'Taken back: these fields have the values of their files again.'
    : 'Drift: these fields differ from their files. The next deployment that changes a file takes its fields back.';
  const remedy =
    'To keep a value, write it into the file. To return to the files now: npx gpu-endpoints stacks --take-back';
  const lines = fields.map(
    (field) =>
      `  ${field.file}: ${driftPhrase(field)}${field.reason === undefined ? '' : ` (${JSON.stringify(field.reason)})`}`,
  );
  return ['', heading, ...lines, ...(isTakenBack ? [] : [remedy])];
}
