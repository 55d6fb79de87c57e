/** Removes the AWS settings from the user's environment, because functions and commands would use them. */
export const withoutAws = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('AWS_')));
