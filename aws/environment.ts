/** The one reader of environment variables in functions and tasks. */

/** A variable that may be missing. */
export const optionalEnvironment = (name: string): string | undefined => process.env[name] || undefined;

/** @throws if the variable is missing or empty: its construct grants access and sets it in one call. */
export function environment(name: string): string {
  const value = optionalEnvironment(name);
  if (value === undefined) throw new Error(`The environment variable ${name} is not set.`);
  return value;
}

/** What a variable lists with commas between; nothing if it is missing or empty. */
export const environmentList = (name: string): string[] =>
  (optionalEnvironment(name) ?? '').split(',').flatMap((item) => (item.trim() ? [item.trim()] : []));

/** This process's environment and some more, for a process that it starts. */
export const environmentWith = (more: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...process.env,
  ...more,
});
