/**
 * Selects the service under test: the service in the environment variables, or a service that is started on this
 * machine.
 */
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, jest } from '@jest/globals';
import { sharedAssembly } from '../acceptance/assembly.ts';
import { newStateDir, startService, stopService } from '../acceptance/local-service.ts';
import { loggedFailure } from './logged-failure.ts';

export interface Target {
  /** Base address of the job interface. */
  readonly serverlessUrl: string;
  /** Base address of the management interface. */
  readonly baseUrl: string;
  readonly key: string;
  /** A key that may only read the health of endpoints, if there is one. */
  readonly limitedKey?: string | undefined;
  /** A key of another owner with all permissions on templates, if there is one. */
  readonly otherKey?: string | undefined;
  readonly endpoint: string;
  /** Returns why the service failed to handle the request, if its logs are on this machine. */
  causeOf?(requestId: string): Promise<string>;
  end(): Promise<void>;
}

const { CONTRACT_URL, CONTRACT_LIMITED_KEY, CONTRACT_OTHER_KEY } = process.env;

/** Whether the service has a limited key and a key of another owner. The environment variables can omit these keys. */
export const hasLimitedKey = !CONTRACT_URL || Boolean(CONTRACT_LIMITED_KEY);
export const hasOtherKey = !CONTRACT_URL || Boolean(CONTRACT_OTHER_KEY);

function fromEnvironment(): Target | undefined {
  if (!CONTRACT_URL) return undefined;
  const { CONTRACT_KEY: key = '', CONTRACT_ENDPOINT: endpoint = 'echo', CONTRACT_BASE_URL } = process.env;
  return {
    serverlessUrl: CONTRACT_URL,
    baseUrl: CONTRACT_BASE_URL ?? CONTRACT_URL.replace(/v2$/, 'v1'),
    key,
    limitedKey: CONTRACT_LIMITED_KEY,
    otherKey: CONTRACT_OTHER_KEY,
    endpoint,
    end: () => Promise.resolve(),
  };
}

/** Whether the service can call a webhook receiver in this process. */
export const hasReceiver = !CONTRACT_URL;

function keyOf(stateDir: string, ...grant: readonly string[]): string {
  const args = ['bin/cli.ts', 'keys', 'create', ...grant, '--env', 'local', '--json'];
  const env = { ...process.env, LOCAL_STATE_DIR: stateDir };
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
  return (JSON.parse(stdout) as { secret: string }).secret;
}

async function started(): Promise<Target> {
  const stateDir = newStateDir();
  const service = await startService(stateDir, { args: ['--assembly', await sharedAssembly()] });
  return {
    serverlessUrl: service.JobApiUrl,
    baseUrl: service.ManagementApiUrl,
    key: service.ApiKey,
    limitedKey: keyOf(stateDir, '--name', 'limited', '--operations', 'health'),
    otherKey: keyOf(stateDir, '--name', 'other', '--scopes', 'templates:read,templates:write'),
    endpoint: 'echo',
    causeOf: (requestId) => loggedFailure(stateDir, requestId),
    async end() {
      await stopService(service);
    },
  };
}

/**
 * Finds or starts the service before the tests of a file, and stops it after them. Call it at the top of the file.
 * @returns the service, available when tests run
 */
export function useTarget(): () => Target {
  let found: Target | undefined;
  // On EC2 instances the first worker starts slowly.
  jest.setTimeout(180_000);
  beforeAll(async () => {
    found = fromEnvironment() ?? (await started());
  });
  afterAll(() => found?.end());
  return () => {
    if (!found) throw new Error('The service is not available. Use it only while tests run.');
    return found;
  };
}
