/** Settings of the context that are mappings: how their values are checked, and what a deployment that fails says. */
import * as z from 'zod/mini';
import { at, shown } from '../core/validation.ts';
import { InvalidSetting } from './invalid-setting.ts';

/**
 * Checks the value of a setting. Messages of the schema complete the sentence "The context `setting.field` ...".
 * @returns the value with the schema's defaults
 * @throws InvalidSetting with a sentence for each field that is wrong
 */
export function parseSetting<Shape extends z.core.$ZodShape>(
  setting: string,
  schema: z.ZodMiniObject<Shape>,
  value: unknown,
): z.output<z.ZodMiniObject<Shape>> {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  const sentences = result.error.issues.map((issue) => {
    // A wrong item of a list is named by its list.
    const name = [setting, ...issue.path.filter((part) => typeof part === 'string')].join('.');
    if (issue.code === 'unrecognized_keys')
      return `The context \`${name}\` has no ${issue.keys.join(', ')}: it may have ${Object.keys(schema.shape).join(', ')}.`;
    return `The context \`${name}\` ${issue.message}, got ${shown(at(value, issue.path))}.`;
  });
  throw new InvalidSetting(sentences.join('\n'));
}
