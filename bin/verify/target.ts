/** The deployment that is verified. */

export interface Target {
  /** Base address of the job interface. */
  readonly serverlessUrl: string;
  /** Base address of the management interface. */
  readonly baseUrl: string;
  /** A key with all operations and scopes. */
  readonly key: string;
  /** A key that may only read the health of endpoints. */
  readonly limitedKey?: string | undefined;
  /** A key of another owner that may read and write templates. */
  readonly otherKey?: string | undefined;
  /** An endpoint that runs the example worker, with at most 3 workers and no other jobs. */
  readonly endpoint: string;
}

/** Variables of the environment with the keys. */
export const variables = {
  key: 'GPU_ENDPOINTS_KEY',
  limitedKey: 'GPU_ENDPOINTS_LIMITED_KEY',
  otherKey: 'GPU_ENDPOINTS_OTHER_KEY',
} as const;

/** Whether the deployment can call an address of this machine. */
export const isOnThisMachine = ({ serverlessUrl }: Target): boolean =>
  ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(serverlessUrl).hostname);

/** Variable with the target, for the process that runs the tests. */
export const TARGET = 'GPU_ENDPOINTS_TARGET';
