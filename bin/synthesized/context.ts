/** Reads the settings of a command from options like those of `cdk`: `-c name=value`, repeatable. */

/** The option, for `parseArgs`. */
export const contextOption = { context: { type: 'string', short: 'c', multiple: true } } as const;

/** Values by the names of settings. */
export type Context = Readonly<Record<string, string>>;

/**
 * Returns the settings.
 * @throws Error if a value of the option is not of the form `name=value`
 */
export function contextFrom(words: readonly string[] = []): Context {
  const settings = words.map((word) => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
    if (name !== undefined && value !== undefined) return [name, value] as const;
    throw new Error(`--context must be name=value, such as environment=prod, got ${JSON.stringify(word)}.`);
  });
  return Object.fromEntries(settings);
}
