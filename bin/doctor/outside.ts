/** The machine and the account that the checks read. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jobRoutes } from '../../core/operations/routes.ts';
import { waitingOperations } from '../../core/operations/table.ts';
import { appFolder } from '../assembly/app-folder.ts';
import type { Context } from '../assembly/context.ts';
import { synthesize } from '../assembly/synthesize.ts';
import { createAccount } from './account.ts';
import type { Outside } from './examine.ts';
import { regionOf } from './region.ts';
import type { Run } from './tools.ts';

/** Time limit of one AWS call or one command, in milliseconds. */
const LIMIT = 5_000;
/** The client needs a Region, although the identity of the caller does not depend on it. */
const ANY_REGION = 'us-east-1';

const readJson = <Content>(file: string) => JSON.parse(readFileSync(join(appFolder(), file), 'utf8')) as Content;

const run: Run = (command, args) => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  execFile(command, args, { timeout: LIMIT, killSignal: 'SIGKILL' }, (error) => resolve(!error));
  return promise;
};

function installedCli(): string | undefined {
  const file = 'node_modules/aws-cdk/package.json';
  return existsSync(join(appFolder(), file)) ? readJson<{ version: string }>(file).version : undefined;
}

/**
 * @param context settings of the stacks, in addition to `cdk.json`
 * @param declaredRegion Region in the file of the environment
 */
export async function outsideOf(
  environment: NodeJS.ProcessEnv,
  context: Context,
  declaredRegion: string | undefined,
): Promise<Outside> {
  const region = await regionOf(environment);
  const { devDependencies } = readJson<{ devDependencies?: { 'aws-cdk'?: string } }>('package.json');
  return {
    node: process.version,
    pinned: devDependencies?.['aws-cdk'],
    installed: installedCli(),
    region,
    declaredRegion,
    engine: environment.CDK_DOCKER,
    run,
    account: createAccount(declaredRegion ?? region ?? ANY_REGION, LIMIT),
    synthesize: () => synthesize(context),
    waiting: waitingOperations.reduce((sum, operation) => sum + jobRoutes[operation].limit.concurrent, 0),
    now: Date.now(),
  };
}
