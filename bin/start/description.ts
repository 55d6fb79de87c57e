/** This product as `npm start` and `gpu-endpoints dev` run it: the stacks of an app, outputs and programs. */
import { extname, join, relative } from 'node:path';
import { isBuilt, packageFolder } from '../../lib/settings/package-files.ts';
import type { Product } from '../../packages/emulator/product.ts';
import { appFolder, appProgram, declarationsFolder } from '../assembly/app-folder.ts';
import { DEV } from '../environment-name.ts';

/** The folder of the declarations, relative to the app. */
const declared = relative(appFolder(), declarationsFolder());

/** Returns a command of this package, whose programs are compiled where it is installed. */
const commandOf = (name: string) => `bin/${name}${extname(import.meta.filename)}`;

const ENDPOINT_STACK = /^Endpoint-(?<endpoint>.+)$/;

/** Matches the name of a secret: the deployment, the kind, and the name that users know. */
const SECRET_NAME = /^[^/]+\/(?<kind>[^/]+)\/(?<own>.+)$/;

/** Variable with the private networks that webhooks can reach. */
const WEBHOOK_NETWORKS = 'WEBHOOK_NETWORKS';

/** Arguments that give the first key all operations, including those on templates of endpoints without an owner. */
const FIRST_KEY = [
  ...['--name', 'first', '--owner', 'platform'],
  ...['--scopes', 'templates:read,templates:write,templates:secrets'],
];

/** Names of outputs in the message of a service that is ready. */
const facts = {
  JobApiUrl: 'Job interface',
  ManagementApiUrl: 'Management',
  ConsoleUrl: 'Console',
  ApiKey: 'API key',
};

function secretCommand(name: string): string {
  const { kind, own = '' } = SECRET_NAME.exec(name)?.groups ?? {};
  return kind === 'registry-auth'
    ? `npx gpu-endpoints registry create ${own} --username USER --env local`
    : `npx gpu-endpoints secrets create ${own} --env local`;
}

const endpointOf = (stackId: string) => ENDPOINT_STACK.exec(stackId)?.groups?.endpoint;

const workersText = (count: number) => `${count} ${count === 1 ? 'worker' : 'workers'}`;

/** Services of endpoints have workers; the ingress has none, and is not listed. */
const services: NonNullable<Product['services']> = {
  title: 'Workers',
  nameOf: endpointOf,
  stateOf(endpoint, count, missing) {
    if (missing.length > 0)
      return `${endpoint}, not ready: no worker can start without ${missing.join(', ')}; run ${missing.map(secretCommand).join(' && ')}`;
    const now = `${endpoint}, ${workersText(count)} now`;
    return count === 0 ? `${now}, started on demand` : now;
  },
  startOf({ stackId, tasks, container }) {
    if (endpointOf(stackId) !== undefined) return `Starting ${workersText(tasks)} of ${stackId} ...`;
    return tasks === 1 ? `Starting the ${container} ...` : `Starting ${tasks} tasks of the ${container} ...`;
  },
};

const site: Product['site'] = {
  name: 'console',
  folder: join(packageFolder, 'packages/console'),
  path: '/console/',
  program: 'build/main.ts',
  sources: '{*.*,!(dist|node_modules|test)/**/*}',
  built: 'dist/files',
  resourceType: 'Custom::ConsoleFiles',
};

export const gpuEndpoints: Product = {
  name: 'gpu-endpoints',
  folder: packageFolder,
  ...(isBuilt && { command: DEV }),
  openCommand: 'npx gpu-endpoints open --env local',
  app: {
    folder: appFolder(),
    // Read when the service starts: the help needs no app.
    get program() {
      return appProgram();
    },
    sources: [
      '{bin,lib,core,aws,lambda,worker,ingress,examples}/**/*',
      join(declared, '{endpoints,capacity,templates,environments}/**/*'),
    ],
    settings: ['cdk.json', 'package.json', 'package-lock.json', 'tsconfig.json', '.npmrc'],
    // The account and the Region are those of this machine. The console of this repository is built when a user opens it
    // for the first time. The bundles of functions are kept for the next synthesis. No image is built. Stack traces of constructs
    // take a tenth of the time of a synthesis; `npm run synth` has them.
    context: {
      'environment:without-place': true,
      'console:built-later': !isBuilt,
      'bundles:kept': true,
      'images:not-copied': true,
      'aws:cdk:disable-stack-trace': true,
      'aws:cdk:disable-creation-stack-traces': true,
    },
  },
  policies: {
    documents: { 'gpu-endpoints-boundary': 'docs/execution-policy/boundary.json' },
    prefix: 'gpu-endpoints-',
  },
  mainStack: 'Platform',
  ...(!isBuilt && { site }),
  containers: {
    sidecarPort: 'AGENT_PORT',
    serverPort: 'PORT',
    mainContainer: (containers) => containers.at(-1),
  },
  images: {
    file: 'bin/start/images.yaml',
    appFile: join(declared, 'images.yaml'),
    remedy: 'add a command for it to images.yaml, or run one with `npx gpu-endpoints worker`',
  },
  services,
  settings: `  DECLARATIONS       folder with the declarations         (default: the folder of the app)
  LOCAL_WEBHOOK_NETWORKS
                     addresses and networks that webhooks can reach in addition to public ones
                                                         (default: 127.0.0.1,::1)
`,
  // Receivers of webhooks run on this machine while a client is being developed.
  localVariables: (variables) =>
    WEBHOOK_NETWORKS in variables
      ? { ...variables, [WEBHOOK_NETWORKS]: process.env.LOCAL_WEBHOOK_NETWORKS ?? '127.0.0.1,::1' }
      : variables,
  accountReads: ({ concurrency }) => ({ 'Custom::WaitSlots': String(concurrency) }),
  firstCommand: ({ KeysTable }) =>
    KeysTable === undefined
      ? undefined
      : {
          name: 'first-key',
          command: [commandOf('cli'), 'keys', 'create', ...FIRST_KEY, '--table', String(KeysTable), '--json'],
        },
  localOutputs: (outputs, { url, printed }) => ({
    ...outputs,
    ConsoleUrl: url,
    ...(printed !== undefined && { ApiKey: (printed as { readonly secret: string }).secret }),
  }),
  // The numbers and the sentence are those of the ingress (`ingress/request-body.ts`).
  slowBodies: {
    stall: 20_000,
    rate: 65_536,
    answer: (received, requestId) =>
      JSON.stringify({
        error: `The body was too slow: ${received} bytes arrived. Send at least 65536 bytes/s and pause less than 20 s.`,
        code: 'REQUEST_TIMEOUT',
        requestId,
      }),
  },
  repeatErrors: ['Unacknowledged'],
  resumeCommand: ({ EndpointsTable }, endpoint) =>
    EndpointsTable === undefined
      ? undefined
      : [commandOf('cli'), 'endpoints', 'resume', endpoint, '--table', String(EndpointsTable)],
  facts: (outputs) =>
    Object.entries(facts).flatMap(([output, name]) =>
      outputs[output] === undefined ? [] : [[name, String(outputs[output])] as const],
    ),
  examples({ JobApiUrl, ApiKey = '' }, [endpoint], showsSecrets) {
    if (JobApiUrl === undefined || endpoint === undefined) return undefined;
    const address = `${JobApiUrl}/${endpoint}`;
    const header = `-H "Authorization: Bearer ${showsSecrets ? ApiKey : '$API_KEY'}"`;
    return {
      title: 'Next, in another terminal:',
      commands: [
        `npx gpu-endpoints run ${endpoint} --input '{"text":"hello"}' --wait`,
        `curl -X POST ${address}/run ${header} -d '{"input": {"text": "hello"}}'`,
        `curl ${address}/status/JOB_ID ${header}`,
      ],
    };
  },
};
