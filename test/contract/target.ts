/**
 * Selects the service under test: the deployment in the variables of `gpu-endpoints verify`, or a service that is started
 * on this machine.
 */
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, jest } from '@jest/globals';
import { type Target, variables } from '../../bin/verify/target.ts';
import { sharedAssembly } from '../acceptance/assembly.ts';
import { newStateDir, startService, stopService } from '../acceptance/local-service.ts';

/** A service on this machine, with keys of all kinds. */
export interface LocalTarget extends Target {
  readonly stateDir: string;
  end(): Promise<void>;
}

function keyOf(stateDir: string, ...grant: readonly string[]): string {
  const args = ['bin/cli.ts', 'keys', 'create', ...grant, '--env', 'local', '--json'];
  const env = { ...process.env, LOCAL_STATE_DIR: stateDir };
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
  return (JSON.parse(stdout) as { secret: string }).secret;
}

export async function startTarget(): Promise<LocalTarget> {
  const stateDir = newStateDir();
  const service = await startService(stateDir, { args: ['--assembly', await sharedAssembly()] });
  return {
    serverlessUrl: service.JobApiUrl,
    baseUrl: service.ManagementApiUrl,
    key: service.ApiKey,
    limitedKey: keyOf(stateDir, '--name', 'limited', '--operations', 'health'),
    otherKey: keyOf(stateDir, '--name', 'other', '--scopes', 'templates:read,templates:write'),
    endpoint: 'echo',
    stateDir,
    end: () => stopService(service),
  };
}

const { GPU_ENDPOINTS_URL: url, [variables.key]: key = '' } = process.env;
const deployed = url && { serverlessUrl: url, baseUrl: url.replace(/v2$/, 'v1'), key, endpoint: 'echo' };

/**
 * Finds or starts the service before the tests of a file, and stops it after them. Call it at the top of the file.
 * @returns the service, available when tests run
 */
export function useTarget(): () => Target {
  let started: LocalTarget | undefined;
  // On EC2 instances the first worker starts slowly.
  jest.setTimeout(180_000);
  beforeAll(async () => {
    if (!deployed) started = await startTarget();
  });
  afterAll(() => started?.end());
  return () => {
    const target = deployed || started;
    if (!target) throw new Error('The service is not available. Use it only while tests run.');
    return target;
  };
}
