/** Starts everything in order: the stacks, what they run on, what they run. */
import { dirname } from 'node:path';
import { readAssembly, type Stack } from './assembly.ts';
import { type Cloud, createCloud } from './cloud.ts';
import { createCustomResources } from './custom-resources.ts';
import { deployStack, type Exports, type StackOutputs } from './deploy.ts';
import { type Emulators, startEmulators } from './emulators.ts';
import { createEventBus } from './events/bus.ts';
import { startExpiry } from './expiry.ts';
import { firstKey } from './first-key.ts';
import { startFleet } from './fleet/fleet.ts';
import { readImages } from './fleet/images.ts';
import { createFunctions } from './functions/functions.ts';
import { buildApis } from './gateway/api.ts';
import { page } from './gateway/page.ts';
import { type GatewayServer, startGatewayServer } from './gateway/server.ts';
import { startObjectExpiry } from './object-expiry.ts';
import type { Options } from './options.ts';
import { LOOPBACK } from './ports.ts';
import { endMarkedProcesses, runMark } from './processes.ts';
import type { Progress } from './progress.ts';
import { commandsToTry, type Ready, workersText } from './ready.ts';
import { deleteUndeclaredQueues } from './resources/sqs.ts';
import type { Shutdown } from './shutdown.ts';
import { claimStateDirectory, type StateDirectory } from './state-directory.ts';
import { startEventSources } from './streams/event-sources.ts';
import { synthesize } from './synthesize.ts';

const repository = dirname(import.meta.dirname);

/** The stack whose outputs say where the service is. */
const PLATFORM = 'Platform';
const OUTPUTS = 'outputs.json';

/** Ctrl-C ends everything within 5 s; this much of it, in milliseconds, is for workers to finish. */
const DRAIN_LIMIT = 3_000;

async function assemblyFolder({ assembly }: Options, state: StateDirectory, progress: Progress): Promise<string> {
  if (assembly !== undefined) return assembly;
  progress.step('Synthesizing the stacks ...');
  const { folder, made } = await synthesize(repository, state, runMark(state.path, process.pid));
  if (!made) progress.note('Nothing has changed since the last time.');
  return folder;
}

async function deployStacks(stacks: readonly Stack[], cloud: Cloud, progress: Progress) {
  const exports: Exports = new Map();
  const outputs: Partial<Record<string, StackOutputs>> = {};
  for (const stack of stacks) {
    progress.step(`Deploying ${stack.name} ...`);
    outputs[stack.name] = await deployStack(stack, cloud, exports);
  }
  await cloud.customResources.deleteOthers();
  await deleteUndeclaredQueues(cloud);
  return outputs;
}

/** The endpoint that the stack is for. */
const endpointOf = (stackName: string) => stackName.replace(/^Endpoint-/, '');

const workersOf = ({ fleet }: Cloud) =>
  [...fleet.running.values()].map(({ definition, desiredCount }) =>
    workersText(endpointOf(definition.name), desiredCount()),
  );

/** Opens the interfaces, and a page that says so. */
function serve(gateway: GatewayServer, cloud: Cloud, ready: Omit<Ready, 'died'>): void {
  const { apis, functions, localized } = cloud;
  const stages = buildApis(apis);
  const content = () =>
    page({
      addresses: [...stages.values()].map(({ name, address }) => ({ name, url: localized(address) })),
      services: workersOf(cloud),
      commands: commandsToTry(ready, '$API_KEY'),
    });
  gateway.serve(stages, functions, content);
}

async function startServices(cloud: Cloud, state: StateDirectory, progress: Progress, shutdown: Shutdown) {
  const { addresses, logFile } = cloud;
  const mark = runMark(state.path, process.pid);
  const compileCache = state.file('compile-cache');
  const host = { addresses, logFile, mark, compileCache, folder: repository, images: readImages };
  const fleet = await startFleet({ definitions: cloud.fleet, host, state, note: progress.note });
  shutdown.add(() => fleet.stop(DRAIN_LIMIT));
  for (const { definition, desiredCount } of cloud.fleet.running.values()) {
    const count = desiredCount();
    if (count > 0) progress.step(`Starting ${count} ${count === 1 ? 'worker' : 'workers'} of ${definition.name} ...`);
  }
  return fleet.settled;
}

/** Opens the ways by which what happens in the cloud reaches functions, and stops them before the functions. */
function startEvents(
  cloud: Cloud,
  emulators: Emulators,
  state: StateDirectory,
  { note }: Progress,
  shutdown: Shutdown,
) {
  const bus = createEventBus(cloud.functions, note);
  for (const rule of cloud.rules) bus.addRule(rule);
  const eventSources = startEventSources(cloud, emulators, state, note);
  shutdown.add(() => eventSources.stop());
  bus.start();
  shutdown.add(() => bus.stop());
  return bus;
}

/**
 * @returns when the service answers and its outputs are written
 * @throws LocalError if it cannot start
 */
export async function start(options: Options, progress: Progress, shutdown: Shutdown): Promise<Ready> {
  const { port, stateDir } = options;

  // First what fails fast, and what another run would disturb.
  const state = claimStateDirectory(stateDir);
  shutdown.add(() => state.release());
  state.remove(OUTPUTS);
  const gateway = await startGatewayServer(port);
  const leftovers = await endMarkedProcesses(state.path);
  if (leftovers > 0) progress.note(`Ended ${leftovers} processes that an earlier run had left behind.`);
  shutdown.add(() => endMarkedProcesses(state.path));
  state.rotateLogs();

  // Emulators start while the stacks are synthesized.
  const starting: Promise<Emulators> = startEmulators(state.path);
  starting.then(
    (emulators) => shutdown.add(() => emulators.stop()),
    () => undefined,
  );
  const [folder, emulators] = await Promise.all([assemblyFolder(options, state, progress), starting]);

  const functions = createFunctions(progress.note);
  shutdown.add(() => functions.stop());
  const customResources = createCustomResources(state, functions);
  const addresses = { dynamodbUrl: emulators.dynamodbUrl, sqsUrl: emulators.sqsUrl };
  const cloud = createCloud({ addresses, functions, customResources, port, logFile: state.logFile });
  const outputs = await deployStacks(readAssembly(folder), cloud, progress);

  functions.warm();
  startEvents(cloud, emulators, state, progress, shutdown);
  shutdown.add(startExpiry(cloud.dynamodb, cloud.expiring, emulators.streamJournal.announceExpiry, progress.note));
  shutdown.add(startObjectExpiry(cloud.s3, cloud.buckets, progress.note));
  const mark = runMark(state.path, process.pid);
  const table = outputs[PLATFORM]?.KeysTable;
  const [ApiKey] = await Promise.all([
    table === undefined ? undefined : firstKey(state, { repository, table: String(table), addresses, mark }),
    startServices(cloud, state, progress, shutdown),
  ]);

  const platform = { ...outputs[PLATFORM], ConsoleUrl: `http://${LOOPBACK}:${port}/`, ApiKey };
  const endpoints = cloud.fleet.services.map(({ name }) => endpointOf(name));
  const workers = workersOf(cloud);
  serve(gateway, cloud, { platform, endpoints, workers });
  shutdown.add(() => gateway.stop());
  state.writeJson(OUTPUTS, { ...outputs, [PLATFORM]: platform });
  shutdown.add(() => state.remove(OUTPUTS));
  return { platform, endpoints, workers, died: emulators.died };
}
