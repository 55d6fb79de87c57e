/** The one reader of environment variables in functions and tasks. */

/** A variable that may be missing. */
export const optionalEnvironment = (name: string): string | undefined => process.env[name] || undefined;

/** @throws if the variable is missing or empty: its construct grants access and sets it in one call. */
export function environment(name: string): string {
  const value = optionalEnvironment(name);
  if (value === undefined) throw new Error(`The environment variable ${name} is not set.`);
  return value;
}

/** This process's environment and some more, for a process that it starts. */
export const environmentWith = (more: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...process.env,
  ...more,
});
