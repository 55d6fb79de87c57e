/** The one reader of environment variables in functions and tasks. */

/** @throws if the variable is missing or empty: its construct grants access and sets it in one call. */
export function environment(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set.`);
  return value;
}
