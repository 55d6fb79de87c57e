/** Reads environment variables for functions and tasks, which never read them directly. */

/** Returns an optional variable, or undefined if it is missing or empty. */
export const optionalEnvironment = (name: string): string | undefined => process.env[name] || undefined;

/**
 * Returns a required variable.
 * @throws Error if the variable is missing or empty
 */
export function environment(name: string): string {
  const value = optionalEnvironment(name);
  if (value === undefined)
    throw new Error(
      `The environment variable ${name} is not set. If it names a resource, no construct grants this role access to the resource: a grant sets the variable.`,
    );
  return value;
}

/** Returns the elements of a variable, which are separated by commas, or an empty list if it is missing or empty. */
export const environmentList = (name: string): string[] =>
  (optionalEnvironment(name) ?? '').split(',').flatMap((item) => (item.trim() ? [item.trim()] : []));

/** Values by name. `NodeJS.ProcessEnv` would require `@types/node` of each project that installs the worker SDK. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** Returns this process's environment with additional variables, for a child process. */
export const environmentWith = (more: Readonly<Record<string, string>>): EnvironmentVariables => ({
  ...process.env,
  ...more,
});
