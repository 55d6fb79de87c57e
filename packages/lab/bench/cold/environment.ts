import type { FunctionBundle } from '../../../../test/support/function-bundles.ts';

/** Variables that the runtime of Lambda sets. */
const runtime = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'key',
  AWS_SECRET_ACCESS_KEY: 'secret',
  AWS_SESSION_TOKEN: 'token',
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_LAMBDA_FUNCTION_NAME: 'function',
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
};

/** Returns the environment of a function: that of its template, with a word for each value that CloudFormation inserts. */
export function environmentOf({ resource, folder }: FunctionBundle): Record<string, string> {
  const { Variables = {} } = (resource.properties.Environment ?? {}) as { Variables?: Record<string, unknown> };
  const own = Object.entries(Variables).map(([name, value]) => [name, typeof value === 'string' ? value : 'inserted']);
  return { ...runtime, LAMBDA_TASK_ROOT: folder, ...Object.fromEntries(own) };
}
