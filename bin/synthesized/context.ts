/** Reads the settings of a command in the form of `cdk`: `-c name=value`, which may be repeated. */

/** For `parseArgs`. */
export const contextOption = { context: { type: 'string', short: 'c', multiple: true } } as const;

/** Values by the names of settings. */
export type Context = Readonly<Record<string, string>>;

/**
 * Returns the settings.
 * @throws Error if a word is not of the form `name=value`
 */
export function contextFrom(words: readonly string[] = []): Context {
  const settings = words.map((word) => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
    if (name !== undefined && value !== undefined) return [name, value] as const;
    throw new Error(`--context takes name=value, as in -c environment=prod, got ${JSON.stringify(word)}.`);
  });
  return Object.fromEntries(settings);
}
