/** The machine and the account for the checks. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { STSClient } from '@aws-sdk/client-sts';
import { jobRoutes, type Route } from '../../core/routes.ts';
import type { Context } from '../synthesized/context.ts';
import { synthesize } from '../synthesized/synthesize.ts';
import { createAccount } from './account.ts';
import type { Outside } from './examine.ts';
import type { Run } from './tools.ts';

const repository = dirname(dirname(import.meta.dirname));
/** Limit for one call of AWS or one command, in milliseconds. */
const LIMIT = 5_000;
/** The identity of the caller does not depend on the Region, but the client needs one. */
const ANY_REGION = 'us-east-1';

const readJson = <Content>(file: string) => JSON.parse(readFileSync(join(repository, file), 'utf8')) as Content;

const run: Run = (command, args) => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  execFile(command, args, { timeout: LIMIT, killSignal: 'SIGKILL' }, (error) => resolve(!error));
  return promise;
};

/** Returns the Region as the CDK command finds it: from the environment, then from the profile. */
export async function regionOf({ AWS_REGION, AWS_DEFAULT_REGION }: NodeJS.ProcessEnv): Promise<string | undefined> {
  const named = AWS_REGION || AWS_DEFAULT_REGION;
  if (named) return named;
  try {
    return await new STSClient({}).config.region();
  } catch {
    return undefined;
  }
}

function installedCli(): string | undefined {
  const file = 'node_modules/aws-cdk/package.json';
  return existsSync(join(repository, file)) ? readJson<{ version: string }>(file).version : undefined;
}

/** @param context settings of the stacks besides those of `cdk.json` */
export async function outsideOf(environment: NodeJS.ProcessEnv, context: Context): Promise<Outside> {
  const region = await regionOf(environment);
  const { devDependencies } = readJson<{ devDependencies: { 'aws-cdk': string } }>('package.json');
  return {
    node: process.version,
    pinned: devDependencies['aws-cdk'],
    installed: installedCli(),
    region,
    engine: environment.CDK_DOCKER,
    run,
    account: createAccount(region ?? ANY_REGION, LIMIT),
    synthesize: () => synthesize(context),
    waiting: Object.values<Route>(jobRoutes).reduce((sum, { limit }) => sum + (limit.concurrent ?? 0), 0),
  };
}
