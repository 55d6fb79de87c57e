/** Starts all components in order: the emulators, the stacks and their services. */
import { arn, awsEnvironment, OPERATOR } from './account.ts';
import { openAttachServer } from './attach-server/server.ts';
import type { TableKey } from './aws-proxy/described.ts';
import { openAwsProxy } from './aws-proxy/server.ts';
import { type Cloud, createCloud } from './cloud.ts';
import { createCustomResources } from './cloudformation/custom-resources.ts';
import { deployStacks } from './cloudformation/deploy.ts';
import { readIdentity } from './cognito/identity.ts';
import { consoleLink } from './cognito/server.ts';
import { type Ecs, onSpotSignal, startEcs } from './ecs/ecs.ts';
import { createEcsApi } from './ecs/ecs-api.ts';
import { createFamilies } from './ecs/families.ts';
import { readImages } from './ecs/images.ts';
import { noServices } from './ecs/registry.ts';
import { createServiceMemory } from './ecs/service-memory.ts';
import { type ReadSecret, secretReader } from './ecs/task-secrets.ts';
import type { EcsEvent } from './ecs/task-state.ts';
import { type Emulators, startEmulators } from './emulators/emulators.ts';
import { createEvents } from './events/events.ts';
import { startExpiry } from './expiry/item-expiry.ts';
import { startObjectExpiry } from './expiry/object-expiry.ts';
import { firstKey } from './first-key.ts';
import { ACCOUNT_CONCURRENCY, createFunctions } from './functions/functions.ts';
import { createLambdaApi } from './functions/lambda-api.ts';
import type { Access } from './iam/evaluate.ts';
import { createPermissions } from './iam/permissions.ts';
import { createKeyRing } from './kms/key-ring.ts';
import { createKmsApi } from './kms/kms-api.ts';
import { createLogGroups } from './logs/log-groups.ts';
import { createLogsApi } from './logs/logs-api.ts';
import { openAddress } from './network/address.ts';
import { LOOPBACK } from './network/ports.ts';
import type { Options } from './options.ts';
import type { Product } from './product.ts';
import type { Progress } from './progress.ts';
import { createSecretStore } from './secrets/secret-store.ts';
import { createSecretsApi } from './secrets/secrets-api.ts';
import { openAddresses } from './serve/interfaces.ts';
import type { Ready } from './serve/ready.ts';
import { endpointsOf, serve, servicesOf, startingText, workersOf } from './serve/serve.ts';
import type { Shutdown } from './shutdown.ts';
import { createEndedLogs } from './state/bounded-log.ts';
import { endMarkedProcesses, runMark } from './state/processes.ts';
import { PROGRAM_CACHE } from './state/program-cache.ts';
import { claimStateDirectory, OUTPUTS, type StateDirectory } from './state/state-directory.ts';
import { createStateMachines } from './step-functions/state-machines.ts';
import { createStatesApi } from './step-functions/states-api.ts';
import { imageAssets, readAssembly } from './synthesis/assembly.ts';
import { synthesize } from './synthesis/synthesize.ts';

/** Milliseconds that workers get to finish. Ctrl-C must stop all processes within 5 s. */
const DRAIN_LIMIT = 3_000;

async function assemblyFolder(
  { app }: Product,
  { assembly, context }: Options,
  state: StateDirectory,
  variables: ProgramVariables,
  progress: Progress,
): Promise<string> {
  if (assembly !== undefined) return assembly;
  progress.step('Synthesizing the stacks ...');
  if (context?.environment) progress.notify('The account and Region of the environment are not used on this machine.');
  const { folder, made } = await synthesize(app, state, variables, context);
  if (!made) progress.notify('The stacks have not changed since the last run.');
  return folder;
}

/** The mark of the run, and the folder of the compile cache, for processes that run programs of the repository. */
type ProgramVariables = Readonly<Record<string, string>> & { readonly NODE_COMPILE_CACHE: string };

type EcsWiring = Pick<Parameters<typeof startEcs>[0], 'authorize'> & {
  publish: (event: EcsEvent) => void;
  readSecret: ReadSecret;
};

async function startServices(
  product: Product,
  cloud: Cloud,
  options: Options,
  { authorize, publish, readSecret }: EcsWiring,
  state: StateDirectory,
  { NODE_COMPILE_CACHE: compileCache, ...mark }: ProgramVariables,
  progress: Progress,
): Promise<Ecs> {
  const { proxyUrl, logFile, logs } = cloud;
  const { images, placement } = options;
  const host = {
    proxyUrl,
    logFile,
    logs,
    mark,
    compileCache,
    publish,
    readSecret,
    logsEnded: createEndedLogs(),
    folder: product.folder,
    containers: product.containers,
    images: () => readImages(images),
  };
  const definitions = cloud.ecs;
  const volumes = state.file('volumes');
  const ecs = await startEcs({ definitions, host, notify: progress.notify, placement, volumes, authorize });
  for (const service of cloud.ecs.running.values()) {
    const text = startingText(product, service);
    if (text !== undefined) progress.step(text);
  }
  return ecs;
}

/**
 * Starts the service. Resolves when the service answers requests and its outputs are written. @throws LocalError if
 * the service cannot start
 */
export async function start(
  product: Product,
  options: Options,
  progress: Progress,
  shutdown: Shutdown,
): Promise<Ready> {
  const { port, stateDir, concurrency = ACCOUNT_CONCURRENCY } = options;

  // The first steps fail fast, or would be disturbed by another run.
  const state = claimStateDirectory(stateDir);
  shutdown.add(() => state.release());
  state.remove(OUTPUTS);
  readImages(options.images);
  const published = await openAddress(port);
  const leftovers = await endMarkedProcesses(state.path);
  if (leftovers > 0) progress.notify(`Stopped ${leftovers} processes that an earlier run left behind.`);
  shutdown.add(() => endMarkedProcesses(state.path));
  state.rotateLogs();

  // Emulators start while the stacks are synthesized.
  const programCache = options.compileCache ?? PROGRAM_CACHE;
  const variables = { ...runMark(state.path, process.pid), NODE_COMPILE_CACHE: programCache };
  const starting: Promise<Emulators> = startEmulators(state.path, programCache);
  starting.then(
    (emulators) => shutdown.add(() => emulators.stop()),
    () => undefined,
  );
  const [folder, emulators] = await Promise.all([
    assemblyFolder(product, options, state, variables, progress),
    starting,
  ]);

  const policies = { permissions: createPermissions(), tables: new Map<string, TableKey>() };
  const stacks = readAssembly(folder);
  const addresses = await openAddresses(published, stacks, state);
  const families = createFamilies(state, imageAssets(stacks));
  const ecs = noServices(families, createServiceMemory(families, state));
  const keys = createKeyRing(state);
  const logs = createLogGroups();
  const secrets = createSecretsApi(createSecretStore(state));
  const services = new Map([
    ['ecs', createEcsApi(ecs)],
    ['kms', createKmsApi(keys)],
    ['lambda', createLambdaApi(concurrency)],
    ['logs', createLogsApi(logs)],
    ['secretsmanager', secrets],
  ]);
  const proxy = await openAwsProxy({ ...options, ...policies, emulators, services, notify: progress.notify }, state);
  shutdown.add(() => proxy.stop());
  const functions = createFunctions({
    notify: progress.notify,
    compileCache: options.compileCache ?? state.file('compile-cache'),
    concurrency,
  });
  shutdown.add(() => functions.stop());
  const { authorize } = proxy;
  const stateMachines = createStateMachines({ invoke: functions.invoke, authorize });
  shutdown.add(() => stateMachines.stop());
  services.set('states', createStatesApi(stateMachines));
  const customResources = createCustomResources(state, functions, product.accountReads({ concurrency }));
  const shared = {
    product,
    emulators,
    proxyUrl: proxy.url,
    ...policies,
    functions,
    stateMachines,
    customResources,
    ecs,
    keys,
    logs,
  };
  const { port: gatewayPort } = addresses.gateway;
  const cloud = createCloud({
    ...shared,
    port,
    gatewayPort,
    logFile: state.logFile,
    webhookNetworks: options.webhookNetworks,
  });
  const outputs = await deployStacks(stacks, cloud, progress);
  // Most functions of custom resources are not called again.
  functions.endIdle();

  // Workers start before events, because the first sweep reads their services.
  const events = createEvents(cloud, emulators, authorize, state, progress.notify);
  shutdown.add(() => events.stop());
  const ofRole = (roleArn: string, action: string, resource: string, context: Access['context']) =>
    authorize(roleArn, { action, resource, context });
  const { bus } = events;
  // The attach server is closed after the services, because it reports to terminals how their tasks end.
  const attachServer = await openAttachServer(product.containers, () => servicesOf(product, cloud));
  shutdown.add(() => attachServer.close());
  const wiring = { authorize: ofRole, publish: bus.put, readSecret: secretReader(secrets, authorize) };
  const running = await startServices(product, cloud, options, wiring, state, variables, progress);
  shutdown.add(() => running.stop(DRAIN_LIMIT));
  shutdown.add(onSpotSignal(running, progress.notify));
  events.start();
  shutdown.add(startExpiry(cloud.dynamodb, cloud.expiring, emulators.streamJournal.announceExpiry, progress.notify));
  shutdown.add(startObjectExpiry(cloud.s3, cloud.buckets, progress.notify));

  const main = outputs[product.mainStack] ?? {};
  const command = product.firstKeyCommand(main);
  const [ApiKey] = await Promise.all([
    command && firstKey(state, { folder: product.folder, command, proxyUrl: proxy.url, variables }),
    running.settled,
  ]);

  const AwsEnvironment = awsEnvironment(proxy.url, OPERATOR, 'command');
  const identity = readIdentity(state);
  const ConsoleUrl = consoleLink(`http://${LOOPBACK}:${port}`, cloud.userPools, identity);
  const mainOutputs = { ...main, ConsoleUrl, ...(ApiKey !== undefined && { ApiKey }) };
  const ready = {
    outputs: mainOutputs,
    endpoints: endpointsOf(product, cloud),
    workers: workersOf(product, cloud),
  };
  serve(product, addresses, cloud, identity, ready);
  shutdown.add(() => Promise.all([...new Set(Object.values(addresses))].map((address) => address.stop())));
  // Only commands of the repository need these outputs, not the page at `/`.
  const { port: attachPort, secret } = attachServer;
  const Attach = { port: attachPort, secret };
  state.writeJson(OUTPUTS, { ...outputs, [product.mainStack]: { ...mainOutputs, AwsEnvironment, Attach } });
  shutdown.add(() => state.remove(OUTPUTS));
  proxy.beginFaults(async (session) => {
    const functionArn = arn('lambda', `function:${session}`);
    if (functions.has(functionArn)) await functions.crash(functionArn);
    else running.lose(session);
  });
  return { ...ready, died: emulators.died };
}
