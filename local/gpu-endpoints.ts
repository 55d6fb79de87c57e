/** This product as `npm start` runs it: its stacks, outputs and programs. */
import { dirname, join, relative, resolve } from 'node:path';
import type { Product } from './product.ts';

const folder = dirname(import.meta.dirname);

/** The folder of the declarations, as the app chooses it (`bin/gpu-endpoints.ts`). */
const declared = relative(folder, resolve(process.env.DECLARATIONS ?? folder));

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

const addresses = { JobApiUrl: 'Job interface', ManagementApiUrl: 'Management' };

export const gpuEndpoints: Product = {
  name: 'gpu-endpoints',
  folder,
  app: {
    folder,
    program: 'bin/gpu-endpoints.ts',
    sources: [
      '{bin,lib,core,aws,lambda,worker,ingress,examples}/**/*',
      join(declared, '{endpoints,capacity,templates,environments}/**/*'),
    ],
    settings: ['cdk.json', 'package.json', 'package-lock.json', 'tsconfig.json', '.npmrc'],
    // The account and the Region are those of this machine. The console is built when a user opens it for the first
    // time. The bundles of functions are kept for the next synthesis. No image is built. Stack traces of constructs
    // take a tenth of the time of a synthesis; `npm run synth` has them.
    context: {
      'environment:without-place': true,
      'console:built-later': true,
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
  console: {
    folder: join(folder, 'packages/console'),
    path: '/console/',
    program: 'build/main.ts',
    sources: '{*.*,!(dist|node_modules|test)/**/*}',
    built: 'dist/files',
    resourceType: 'Custom::ConsoleFiles',
  },
  containers: {
    agentPort: 'AGENT_PORT',
    serverPort: 'PORT',
    userContainer: (containers) => containers.at(-1),
  },
  endpointOf: (stackId) => ENDPOINT_STACK.exec(stackId)?.groups?.endpoint,
  // Receivers of webhooks run on this machine while a client is being developed.
  withLocalNetworks: (variables, networks) =>
    WEBHOOK_NETWORKS in variables ? { ...variables, [WEBHOOK_NETWORKS]: networks } : variables,
  accountReads: ({ concurrency }) => ({ 'Custom::WaitSlots': String(concurrency) }),
  firstKeyCommand: ({ KeysTable }) =>
    KeysTable === undefined
      ? undefined
      : ['bin/keys.ts', 'create', ...FIRST_KEY, '--table', String(KeysTable), '--json'],
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
    EndpointsTable === undefined ? undefined : ['bin/resume.ts', endpoint, '--table', String(EndpointsTable)],
  secretCommand(name) {
    const { kind, own = '' } = SECRET_NAME.exec(name)?.groups ?? {};
    return kind === 'registry-auth'
      ? `npm run registry-auth -- create --name ${own} --username USER --local`
      : `npm run secrets -- create --name ${own} --local`;
  },
  addresses: (outputs) =>
    Object.entries(addresses).flatMap(([output, name]) =>
      outputs[output] === undefined ? [] : [[name, String(outputs[output])] as const],
    ),
  commandsToTry({ JobApiUrl }, endpoint, key) {
    if (JobApiUrl === undefined) return [];
    const address = `${JobApiUrl}/${endpoint}`;
    const header = `-H "Authorization: Bearer ${key}"`;
    return [
      `curl -X POST ${address}/run ${header} -d '{"input": {"text": "hello"}}'`,
      `curl ${address}/status/JOB_ID ${header}`,
    ];
  },
};
