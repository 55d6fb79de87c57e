/** Runs `npx gpu-endpoints remove` as a process, without a terminal. */
import { execFile } from 'node:child_process';
import { type Cloud, REGION } from './cloud.ts';

/**
 * Returns the environment of the command.
 * @param folder the declarations and the home of the user
 */
export function environmentOf(cloud: Cloud, folder: string): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const keys = { AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'the-secret-access-key' };
  const place = { AWS_REGION: REGION, AWS_ENDPOINT_URL: cloud.url, AWS_EC2_METADATA_DISABLED: 'true' };
  return { PATH, NODE_COMPILE_CACHE, HOME: folder, DECLARATIONS: folder, ...keys, ...place };
}

export function removeIn(cloud: Cloud, folder: string, args: readonly string[]) {
  const { promise, resolve } = Promise.withResolvers<{ status: number; stdout: string; stderr: string }>();
  execFile(
    process.execPath,
    ['bin/cli.ts', 'remove', ...args],
    { env: environmentOf(cloud, folder) },
    (error, stdout, stderr) => resolve({ status: Number(error?.code ?? 0), stdout, stderr }),
  );
  return promise;
}
