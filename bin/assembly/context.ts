/** Reads the settings of a command from options like those of `cdk`: `-c name=value`, repeatable. */

/** The option, for `parseArgs`. */
export const contextOption = { context: { type: 'string', short: 'c', multiple: true } } as const;

/** Values by the names of settings. */
export type Context = Readonly<Record<string, string>>;

/**
 * Returns the settings.
 * @throws Error if a value of the option is not of the form `name=value`
 */
export function contextFrom(pairs: readonly string[] = []): Context {
  const settings = pairs.map((pair) => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    if (name !== undefined && value !== undefined) return [name, value] as const;
    throw new Error(`--context must be name=value, such as environment=prod, got ${JSON.stringify(pair)}.`);
  });
  return Object.fromEntries(settings);
}
