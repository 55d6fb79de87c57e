/** Settings whose value is one of a few words. */
import type { IConstruct } from 'constructs';
import { allowedBy, type FieldText, type Setting } from './field-text.ts';
import { InvalidSetting } from './settings.ts';

/** A setting with a few words as values. */
export interface ChoiceSetting<Choice extends string> extends Setting {
  readonly read: (scope: IConstruct) => Choice;
}

/**
 * Returns a setting whose value is one of these words.
 * @param choices at least two
 * @param usual the value without the setting
 */
export function choiceSetting<Choice extends string>(
  name: string,
  {
    choices,
    usual,
    ...text
  }: Pick<FieldText, 'description' | 'guide'> & {
    readonly choices: readonly Choice[];
    readonly usual: NoInfer<Choice>;
  },
): ChoiceSetting<Choice> {
  const must = `must be ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
  return {
    /** @throws InvalidSetting */
    read(scope) {
      const value: unknown = scope.node.tryGetContext(name) || usual;
      const known = choices.find((choice) => choice === value);
      if (known) return known;
      throw new InvalidSetting(`The context \`${name}\` ${must}, got ${JSON.stringify(value)}.`);
    },
    text: { ...text, type: 'string', default: usual, allowed: allowedBy(must) },
  };
}
