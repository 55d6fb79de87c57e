/** Starts the components that run the stacks, in order: the AWS proxy, functions, resources, services and interfaces. */
import { appendFileSync } from 'node:fs';
import { arn, OPERATOR } from './account.ts';
import { openAttachServer } from './attached-commands/server.ts';
import type { TableKey } from './aws-proxy/described.ts';
import { openAwsProxy } from './aws-proxy/server.ts';
import { createCloud } from './cloud.ts';
import { createCustomResources } from './cloudformation/custom-resources.ts';
import { deployStacks } from './cloudformation/deploy.ts';
import { createAlarms } from './cloudwatch/alarms.ts';
import { createCloudwatchApi } from './cloudwatch/cloudwatch-api.ts';
import { createEmbeddedReader } from './cloudwatch/embedded.ts';
import { createMetrics } from './cloudwatch/metrics.ts';
import { startMonitoring } from './cloudwatch/monitoring.ts';
import { readIdentity } from './cognito/identity.ts';
import { openLink } from './cognito/server.ts';
import { onSpotSignal, startEcs } from './ecs/ecs.ts';
import { createEcsApi } from './ecs/ecs-api.ts';
import { createFamilies } from './ecs/families.ts';
import { imageFiles } from './ecs/image-files.ts';
import { readImages } from './ecs/images.ts';
import { noServices } from './ecs/registry.ts';
import type { Service } from './ecs/service.ts';
import { createServiceMemory } from './ecs/service-memory.ts';
import { secretReader } from './ecs/task-secrets.ts';
import type { Emulators } from './emulators/emulators.ts';
import { createEvents } from './events/events.ts';
import { createEventsApi } from './events/events-api.ts';
import { startExpiry } from './expiry/item-expiry.ts';
import { startObjectExpiry } from './expiry/object-expiry.ts';
import { firstCommand } from './first-command.ts';
import { ACCOUNT_CONCURRENCY, createFunctions } from './functions/functions.ts';
import { createLambdaApi } from './functions/lambda-api.ts';
import { createControlPlane } from './gateway/control-plane.ts';
import { createPlanKeys } from './gateway/plan-keys.ts';
import { declareAccountPolicies } from './iam/account-policies.ts';
import { createPermissions } from './iam/permissions.ts';
import { createKeyRing } from './kms/key-ring.ts';
import { createKmsApi } from './kms/kms-api.ts';
import { createLogGroups } from './logs/log-groups.ts';
import { createLogsApi } from './logs/logs-api.ts';
import type { Address } from './network/address.ts';
import { LOOPBACK } from './network/ports.ts';
import type { Options } from './options.ts';
import type { Product } from './product.ts';
import type { Progress } from './progress.ts';
import { describeAwaited, watchAwaited } from './secrets/awaited-secrets.ts';
import { createSecretStore, type Secret } from './secrets/secret-store.ts';
import { createSecretsApi } from './secrets/secrets-api.ts';
import { secretArrived } from './serve/awaited-services.ts';
import { openAddresses } from './serve/interfaces.ts';
import type { Ready } from './serve/ready.ts';
import { serve, serviceNames, servicesOf, startingText, statesOf } from './serve/serve.ts';
import type { Shutdown } from './shutdown.ts';
import { createEndedLogs } from './state/bounded-log.ts';
import { OUTPUTS, type StateDirectory } from './state/state-directory.ts';
import { createStateMachines } from './step-functions/state-machines.ts';
import { createStatesApi } from './step-functions/states-api.ts';
import { imageAssets, readAssembly } from './synthesis/assembly.ts';

/** What the components get from the first steps of a start. */
export interface Begun {
  readonly product: Product;
  readonly options: Options;
  readonly state: StateDirectory;
  /** The address that is published, which serves nothing yet. */
  readonly published: Address;
  readonly emulators: Emulators;
  /** Folder of the synthesized stacks. */
  readonly assembly: string;
  /** Variables of the processes that run programs of the repository. */
  readonly variables: ProgramVariables;
  readonly progress: Progress;
  readonly shutdown: Shutdown;
}

/** The mark of the run, and the folder of the compile cache. */
export type ProgramVariables = Readonly<Record<string, string>> & { readonly NODE_COMPILE_CACHE: string };

/** Milliseconds that tasks get to finish. Ctrl-C must stop all processes within 5 s. */
const DRAIN_LIMIT = 3_000;

/** Prints which tasks the services start. */
function announce(product: Product, services: readonly Service[], progress: Progress): void {
  for (const service of services) {
    const text = startingText(product, service);
    if (text !== undefined) progress.step(text);
  }
}

/**
 * Starts the components. Resolves when the service answers requests and its outputs are written.
 * @throws LocalError if the service cannot start
 */
export async function startComponents(begun: Begun): Promise<Ready> {
  const { product, options, state, published, emulators, assembly, variables, progress, shutdown } = begun;
  const { port, concurrency = ACCOUNT_CONCURRENCY } = options;
  const policies = { permissions: createPermissions(), tables: new Map<string, TableKey>() };
  const stacks = readAssembly(assembly);
  declareAccountPolicies(policies.permissions, product, stacks);
  const addresses = await openAddresses(published, stacks, state);
  const families = createFamilies(state, imageAssets(stacks));
  const definitions = noServices(families, createServiceMemory(families, state));
  const keys = createKeyRing(state);
  const metrics = createMetrics();
  const print = createEmbeddedReader(metrics);
  const logs = createLogGroups(Date.now, undefined, print);
  const alarms = createAlarms(progress.notify);
  let isDeploying = true;
  let secretCreated: (secret: Secret) => void = () => undefined;
  const secretStore = watchAwaited(createSecretStore(state), (secret) => secretCreated(secret));
  const secrets = describeAwaited(createSecretsApi(secretStore), secretStore, () => isDeploying);
  const services = new Map([
    ['ecs', createEcsApi(definitions)],
    ['kms', createKmsApi(keys)],
    ['lambda', createLambdaApi(concurrency)],
    ['logs', createLogsApi(logs)],
    ['monitoring', createCloudwatchApi(alarms, metrics)],
    ['secretsmanager', secrets],
  ]);
  const proxy = await openAwsProxy({ ...options, ...policies, emulators, services, notify: progress.notify }, state);
  shutdown.add(() => proxy.stop());
  const functions = createFunctions({
    notify: progress.notify,
    compileCache: options.compileCache ?? state.file('compile-cache'),
    repeatErrors: product.repeatErrors ?? [],
    concurrency,
    print,
    metrics,
  });
  shutdown.add(() => functions.stop());
  const { authorize } = proxy;
  const stateMachines = createStateMachines({ invoke: functions.invoke, authorize });
  shutdown.add(() => stateMachines.stop());
  services.set('states', createStatesApi(stateMachines));
  const customResources = createCustomResources(state, functions, product.accountReads?.({ concurrency }));
  const shared = {
    product,
    emulators,
    proxyUrl: proxy.url,
    awsEnvironment: proxy.environment,
    ...policies,
    functions,
    stateMachines,
    customResources,
    ecs: definitions,
    keys,
    logs,
    metrics,
    alarms,
    planKeys: createPlanKeys(state),
  };
  const { port: gatewayPort } = addresses.gateway;
  const cloud = createCloud({ ...shared, port, gatewayPort, logFile: state.logFile });
  services.set('apigateway', createControlPlane(cloud));

  const events = createEvents(cloud, emulators, authorize, state, progress.notify);
  shutdown.add(() => events.stop());
  const eventLog = state.logFile('events');
  services.set(
    'events',
    createEventsApi(events.bus, (event) => appendFileSync(eventLog, `${JSON.stringify(event)}\n`)),
  );
  // The attach server is closed after the services, because it reports to terminals how their tasks end.
  const attachServer = await openAttachServer(product.containers, () => servicesOf(product, cloud));
  shutdown.add(() => attachServer.close());
  const { NODE_COMPILE_CACHE: compileCache, ...mark } = variables;
  const ecs = await startEcs({
    definitions,
    host: {
      awsEnvironment: proxy.environment,
      logFile: state.logFile,
      logs,
      mark,
      compileCache,
      publish: events.bus.put,
      readSecret: secretReader(secrets, authorize),
      logsEnded: createEndedLogs(),
      folder: product.folder,
      containers: product.containers,
      imageRemedy: product.images?.remedy,
      images: () => readImages(imageFiles(product, options)),
    },
    notify: progress.notify,
    ...(options.placement !== undefined && { placement: options.placement }),
    volumes: state.file('volumes'),
    authorize: (roleArn, action, resource, context) => authorize(roleArn, { action, resource, context }),
  });
  shutdown.add(() => ecs.stop(DRAIN_LIMIT));

  const commands = { folder: product.folder, awsEnvironment: proxy.environment, variables };
  const mainStack = product.mainStack ?? stacks.at(-1)?.id ?? '';
  let printing: Promise<unknown> = Promise.resolve(undefined);
  const outputs = await deployStacks(stacks, cloud, progress, (stackId, its) => {
    if (stackId !== mainStack) return;
    // The start waits longest for these processes, so they start before further stacks are deployed.
    announce(product, ecs.start(), progress);
    const command = product.firstCommand?.(its);
    if (command) printing = firstCommand(state, commands, command);
    // A failure is thrown below, where the start waits for the command.
    printing.catch(() => undefined);
  });
  isDeploying = false;
  definitions.memory.forgetUndeclared();
  // Most functions of custom resources are not called again.
  functions.endIdle();

  // Tasks start before events, because a function of a schedule can read their services.
  announce(product, ecs.start(), progress);
  shutdown.add(onSpotSignal(ecs, progress.notify));
  events.start();
  shutdown.add(startMonitoring(cloud));
  shutdown.add(startExpiry(cloud.dynamodb, cloud.expiring, emulators.streamJournal.announceExpiry, progress.notify));
  shutdown.add(startObjectExpiry(cloud.s3, cloud.buckets, progress.notify));

  const [printed] = await Promise.all([printing, ecs.settled]);
  const main = outputs[mainStack] ?? {};
  const waiting = { product, cloud, secrets: secretStore, commands, outputs: main, notify: progress.notify };
  secretCreated = (secret) => secretArrived(waiting, secret);

  const AwsEnvironment = proxy.environment(OPERATOR, 'command');
  const identity = readIdentity(state);
  const url = openLink(`http://${LOOPBACK}:${port}`, cloud.userPools, identity);
  const mainOutputs = product.localOutputs?.(main, { url, printed }) ?? main;
  const ready = {
    outputs: mainOutputs,
    services: serviceNames(product, cloud),
    states: statesOf(product, cloud, secretStore),
  };
  serve(product, addresses, cloud, identity, ready, secretStore);
  shutdown.add(() => Promise.all([...new Set(Object.values(addresses))].map((address) => address.stop())));
  // Only commands of the repository need these outputs, not the page at `/`.
  const { port: attachPort, secret } = attachServer;
  const Attach = { port: attachPort, secret };
  state.writeJson(OUTPUTS, { ...outputs, [mainStack]: { ...mainOutputs, AwsEnvironment, Attach } });
  shutdown.add(() => state.remove(OUTPUTS));
  proxy.beginFaults(async (session) => {
    const functionArn = arn('lambda', `function:${session}`);
    if (functions.has(functionArn)) await functions.crash(functionArn);
    else ecs.lose(session);
  });
  return { ...ready, died: emulators.died };
}
