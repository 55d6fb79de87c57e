/** Deploys stacks of a few lines as `npm start` does, by default without emulators. */

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createAwsEnvironment, type EmulatorAddresses } from '../account.ts';
import { createCloud } from '../cloud.ts';
import { createCustomResources } from '../cloudformation/custom-resources.ts';
import { deployStack, type Exports, type StackOutputs } from '../cloudformation/deploy.ts';
import type { Template, TemplateResource } from '../cloudformation/template.ts';
import { createMetrics, type Metrics } from '../cloudwatch/metrics.ts';
import type { LoadBalancers as OriginBalancers } from '../distribution/origin.ts';
import type { EcsDefinitions } from '../ecs/registry.ts';
import { createFunctions, type Functions } from '../functions/functions.ts';
import type { PlanKeys } from '../gateway/plan-keys.ts';
import type { GatewayOptions } from '../gateway/server.ts';
import { createPermissions, type Permissions } from '../iam/permissions.ts';
import type { LoadBalancers } from '../load-balancer/definitions.ts';
import { openAddress } from '../network/address.ts';
import { openAddresses, serveInterfaces } from '../serve/interfaces.ts';
import { lockStateDirectory } from '../state/state-directory.ts';
import { createStateMachines } from '../step-functions/state-machines.ts';
import { readAssembly } from '../synthesis/assembly.ts';

/** Templates from which tests copy parts. */
export type Resources = Record<string, TemplateResource & { Properties: Record<string, unknown> }>;

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'gpu-endpoints-local-'));

/**
 * Writes an assembly in which each stack depends on all earlier ones, with one file asset: `code` as `bundle`.
 * @param deployment prefix of the stack names; without it, the stack ids are the names
 */
export function writeAssembly(
  folder: string,
  stacks: Readonly<Record<string, Template>>,
  code = '',
  deployment?: string,
): string {
  const bundle = join(folder, 'asset.bundle');
  mkdirSync(bundle, { recursive: true });
  writeFileSync(join(bundle, 'index.js'), code);
  // The assembly of `npm start` is inside a package of ES modules, so this folder is one too.
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const names = Object.keys(stacks);
  const artifacts = names.flatMap((name, at): [string, object][] => [
    [`${name}.assets`, { type: 'cdk:asset-manifest', properties: { file: `${name}.assets.json` } }],
    [
      name,
      {
        type: 'aws:cloudformation:stack',
        dependencies: [`${name}.assets`, ...names.slice(0, at)],
        properties: {
          templateFile: `${name}.template.json`,
          ...(deployment && { stackName: `${deployment}-${name}` }),
        },
      },
    ],
  ]);
  for (const [name, template] of Object.entries(stacks)) {
    writeFileSync(join(folder, `${name}.template.json`), JSON.stringify(template));
    const assets = {
      files: { bundle: { source: { path: 'asset.bundle' } } },
      dockerImages: { a1b2: { displayName: 'test/worker' } },
    };
    writeFileSync(join(folder, `${name}.assets.json`), JSON.stringify(assets));
  }
  // The order in the manifest has no meaning, so dependent stacks are listed first.
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ artifacts: Object.fromEntries(artifacts.reverse()) }));
  return folder;
}

export interface SmallService {
  /** The address of the distribution, or of API Gateway without a distribution. */
  readonly url: string;
  readonly gatewayUrl: string;
  readonly outputs: Readonly<Partial<Record<string, StackOutputs>>>;
  readonly functions: Functions;
  readonly permissions: Permissions;
  readonly ecs: EcsDefinitions;
  readonly loadBalancers: LoadBalancers;
  stop(): Promise<void>;
}

/**
 * An address without a server. Stacks with tables or queues need emulators, and functions that call AWS need the
 * proxy.
 */
const nowhere = 'http://127.0.0.1:1';
const noEmulators: EmulatorAddresses = { dynamodbUrl: nowhere, sqsUrl: nowhere, s3Url: nowhere };

/** The environment of code that does not call AWS. */
export const noAws = createAwsEnvironment(nowhere, () => 'no key');

const newFunctions = (): Functions =>
  createFunctions({ notify: () => undefined, compileCache: join(newFolder(), 'compiled') });

/**
 * Creates functions for all services of a test file, which share the same code. Starting the thread of a function
 * takes longer than the rest of a small service. The test file must stop the functions.
 */
export function createSharedFunctions(): Functions {
  const functions = newFunctions();
  return {
    ...functions,
    define(definition) {
      if (!functions.has(definition.arn)) functions.define(definition);
    },
  };
}

const everyKey: PlanKeys = { has: () => true, add: () => undefined, remove: () => undefined };

export interface SmallServiceOptions {
  /**
   * Folder of the files that outlive a run.
   * @default - a new folder
   */
  readonly stateDir?: string;
  /** @default - new functions for this service */
  readonly functions?: Functions;
  /** Account data that custom resources read, by resource type. */
  readonly reads?: Readonly<Record<string, string>>;
  /**
   * The clock of rate limits, in milliseconds.
   * @default - the real clock
   */
  readonly now?: () => number;
  /** @default - bodies of any pace are read */
  readonly slowBodies?: GatewayOptions['slowBodies'];
  /**
   * Replaces the pauses in which a body must make progress.
   * @default - real time
   */
  readonly pause?: GatewayOptions['pause'];
  /** @default - none */
  readonly loadBalancers?: OriginBalancers;
  /**
   * Which keys are in which usage plans.
   * @default - each key is in each plan
   */
  readonly planKeys?: PlanKeys;
  /**
   * For stacks with buckets.
   * @default - an address without a server
   */
  readonly emulators?: EmulatorAddresses;
  /** @default - metrics that cannot be read */
  readonly metrics?: Metrics;
}

export async function startSmallService(
  stacks: Readonly<Record<string, Template>>,
  code: string,
  options: SmallServiceOptions = {},
): Promise<SmallService> {
  const folder = newFolder();
  const state = lockStateDirectory(options.stateDir ?? join(folder, 'state'));
  const functions = options.functions ?? newFunctions();
  const stacksHere = readAssembly(writeAssembly(join(folder, 'assembly'), stacks, code));
  const addresses = await openAddresses(await openAddress(0), stacksHere, state);
  const [{ port }, { port: gatewayPort }] = [addresses.published, addresses.gateway];
  const stop = async () => {
    for (const address of new Set(Object.values(addresses))) await address.stop();
    if (!options.functions) await functions.stop();
    state.release();
  };
  try {
    const customResources = createCustomResources(state, functions, options.reads);
    const policies = { permissions: createPermissions(), tables: new Map() };
    const stateMachines = createStateMachines({ invoke: functions.invoke, authorize: () => undefined });
    const { emulators = noEmulators, planKeys = everyKey, metrics = createMetrics() } = options;
    const services = {
      product: {},
      emulators,
      proxyUrl: nowhere,
      awsEnvironment: noAws,
      functions,
      stateMachines,
      customResources,
      planKeys,
      metrics,
    };
    const cloud = createCloud({ ...services, ...policies, port, gatewayPort, logFile: state.logFile });
    const exports: Exports = new Map();
    const outputs: Record<string, StackOutputs> = {};
    for (const stack of stacksHere) outputs[stack.name] = await deployStack(stack, cloud, exports);
    await customResources.deleteOthers();
    const { now, pause, slowBodies, loadBalancers: origins } = options;
    serveInterfaces(addresses, cloud, { page: () => 'the page', slowBodies, now, pause, loadBalancers: origins });
    const { permissions } = policies;
    const [url, gatewayUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${gatewayPort}`];
    const { ecs, loadBalancers } = cloud;
    return { url, gatewayUrl, outputs, functions, permissions, ecs, loadBalancers, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

export const functionResource = (handler: string, rest: Record<string, unknown> = {}): Resources[string] => ({
  Type: 'AWS::Lambda::Function',
  Properties: {
    Code: { S3Bucket: 'assets', S3Key: 'bundle.zip' },
    Handler: `index.${handler}`,
    Role: 'arn:aws:iam::000000000000:role/test-role',
    Runtime: 'nodejs24.x',
    ...rest,
  },
});

/**
 * Milliseconds between the first two checks of `eventually`, and the maximum between two checks. Each pause is
 * twice the previous one.
 */
const FIRST_PAUSE = 5;
const MAX_PAUSE = 100;

/** Waits in real time until the condition holds, even if a test controls timeouts. */
export async function eventually(
  what: string,
  holds: () => boolean | Promise<boolean>,
  within = 60_000,
): Promise<void> {
  let pause = FIRST_PAUSE;
  for (const deadline = Date.now() + within; Date.now() < deadline; pause = Math.min(2 * pause, MAX_PAUSE)) {
    if (await holds()) return;
    await delay(pause);
  }
  throw new Error(`Not within ${within} ms: ${what}.`);
}
