/**
 * The walls: what the files of each room may import, and the mistake that the wall prevents. `npm run lint` checks them
 * with dependency-cruiser ([ADR 0034](docs/adr/0034-hold-import-walls-with-dependency-cruiser.md)). Biome refuses
 * import cycles.
 */
import type { IConfiguration, IRegularForbiddenRuleType } from 'dependency-cruiser';

/**
 * What the files of a room may import, beside each other and the modules of Node.js. A room within a room has a wall of
 * its own.
 */
interface Wall {
  /** Rooms, without those within them unless the name ends with `/*`, and single files. */
  readonly rooms?: readonly string[];
  /** Names of npm packages, where `*` matches any name, or what the `package.json` of the room's package declares. */
  readonly packages?: readonly string[] | keyof typeof DECLARED;
  /** Whether the files run in browsers, which lack the modules of Node.js. */
  readonly isForBrowsers?: true;
  readonly prevents: string;
}

/** What dependency-cruiser calls the packages of these fields. */
const DECLARED = {
  dependencies: ['npm', 'npm-optional'],
  'dependencies and devDependencies': ['npm', 'npm-optional', 'npm-dev'],
} as const;

const walls: Readonly<Record<string, Wall>> = {
  core: {
    packages: ['p-limit', 'zod'],
    prevents: 'rules of the product that can only be tested with AWS, or that differ between cloud and laptop',
  },
  aws: {
    rooms: ['core'],
    packages: ['@aws-sdk/*', '@opentelemetry/*', '@smithy/*', 'aws-jwt-verify', 'p-limit', 'zod'],
    prevents: 'stores that depend on their callers, so that another caller needs another store',
  },
  lambda: {
    rooms: ['core', 'aws'],
    packages: ['@middy/core', '@aws-lambda-powertools/*', '@types/aws-lambda', 'zod'],
    prevents: 'CDK in a handler bundle, which adds 30 MB and seconds, and functions that call addresses of clients',
  },
  'lambda/webhooks/deliver.ts': {
    rooms: ['lambda', 'lambda/webhooks/egress', 'core', 'aws'],
    packages: ['@aws-lambda-powertools/*', '@types/aws-lambda', 'zod'],
    prevents: 'a second place that sends webhooks: only this function calls addresses of clients',
  },
  'lambda/webhooks/egress': {
    rooms: ['core'],
    prevents: 'calls to unknown addresses by a process with permissions in this account',
  },
  ingress: {
    // The ingress logs and counts items that are set aside like the functions.
    rooms: ['core', 'aws', 'lambda/set-aside.ts'],
    packages: ['@aws-lambda-powertools/*'],
    prevents: 'responses that depend on whether a function or the ingress sends them',
  },
  worker: {
    rooms: ['core', 'aws'],
    packages: ['@aws-lambda-powertools/*', 'eventsource-parser'],
    prevents: 'an agent that depends on the implementation of the API',
  },
  examples: {
    rooms: ['worker'],
    prevents: 'examples that need something that authors of workers do not have',
  },
  lib: {
    rooms: ['lib/prices', 'core'],
    packages: ['aws-cdk-lib', 'cdk-nag', 'cloudfront', 'constructs', 'esbuild', 'leven', 'yaml', 'zod'],
    prevents: 'runtime code that runs at synth, with the credentials of the deployer',
  },
  'lib/prices': {
    packages: ['yaml', 'zod'],
    prevents: 'prices that depend on where they are shown',
  },
  bin: {
    rooms: ['bin/*', 'lib/*', 'core', 'aws'],
    packages: ['@aws-sdk/client-ec2', 'aws-cdk-lib', 'commander', 'json-schema-to-typescript', 'yaml', 'zod'],
    prevents: 'commands that only work on a laptop',
  },
  'bin/client': {
    rooms: ['bin', 'core', 'lib/settings/nearest.ts'],
    packages: ['commander', 'zod'],
    prevents: 'commands of clients that need credentials of AWS, or something that the interfaces do not have',
  },
  'bin/mcp': {
    rooms: ['bin/client', 'core'],
    packages: ['@modelcontextprotocol/server', 'commander', 'zod'],
    prevents: 'tools of assistants that can do more than a client with the same key',
  },
  'bin/upgrade': {
    rooms: ['bin/example.ts'],
    packages: ['commander'],
    prevents: 'an upgrade that depends on the code of either version',
  },
  'bin/assembly': {
    packages: ['commander'],
    prevents: 'a reader of the stacks that depends on their code instead of on what is deployed',
  },
  'bin/cost': {
    rooms: ['bin', 'bin/assembly', 'bin/client/print.ts', 'bin/job-calls', 'lib/prices', 'core'],
    prevents: 'costs of anything other than the synthesized stacks and counted calls',
  },
  'bin/deploy': {
    rooms: ['bin/assembly', 'bin/doctor', 'bin/example.ts', 'bin/terminal.ts'],
    packages: ['@aws-cdk/toolkit-lib', 'commander', 'p-limit'],
    prevents: 'a deployment by anything other than the toolkit of the CDK',
  },
  'bin/deployment': {
    rooms: ['bin', 'bin/client/permissions.ts', 'bin/client/print.ts', 'core', 'aws'],
    packages: ['commander'],
    prevents: 'commands whose help loads the SDK of AWS or the stacks',
  },
  'bin/doctor': {
    rooms: ['bin/assembly', 'core'],
    packages: ['@aws-sdk/*', 'yaml', 'zod'],
    prevents: 'checks of anything that the stacks do not need',
  },
  'bin/execution-policy': {
    packages: ['yaml', 'zod'],
    prevents: 'policies that depend on the code of the stacks instead of on the calls of CloudFormation',
  },
  'bin/job-calls': {
    rooms: ['lib/prices'],
    prevents: 'counted calls that only the benchmarks can read',
  },
  'bin/reference': {
    // The list of images belongs to `npm start`.
    rooms: ['bin', 'lib', 'core', 'packages/emulator/ecs/images.ts'],
    packages: ['zod'],
    prevents: 'a reference with rules that the schemas do not have',
  },
  'bin/remove': {
    rooms: ['bin/chosen-deployment.ts', 'bin/doctor', 'bin/assembly', 'bin/terminal.ts', 'lib', 'aws', 'core'],
    packages: ['@aws-sdk/*', 'p-limit'],
    prevents: 'a removal of what is declared instead of what is deployed',
  },
  'bin/repository': {
    rooms: ['bin', 'bin/assembly', 'bin/saturation', 'bin/start'],
    packages: ['commander'],
    prevents: 'commands whose help loads the stacks or the SDK of AWS',
  },
  'bin/saturation': {
    rooms: ['bin', 'bin/job-calls', 'lib/prices', 'core'],
    packages: ['commander', 'yaml', 'zod'],
    prevents: 'limits that differ from the code of the service',
  },
  'bin/stacks': {
    rooms: ['bin/assembly', 'bin/doctor', 'core'],
    packages: ['@aws-sdk/*'],
    prevents: 'a comparison with anything other than the deployed stacks',
  },
  'bin/verify': {
    rooms: ['bin/example.ts', 'bin/terminal.ts', 'bin/client', 'lib/settings', 'core/operations'],
    packages: ['ajv', 'ajv-formats', 'commander', 'expect'],
    prevents: 'rows that hold because of the code of the service instead of its responses',
  },
  'bin/cli.ts': {
    rooms: ['bin/program.ts', 'bin/completion.ts'],
    prevents: 'commands that only the binary has, and not the pages and the tests',
  },
  'bin/completion.ts': {
    rooms: ['bin', 'bin/client/profiles.ts', 'core'],
    packages: ['@bomb.sh/tab', 'commander'],
    prevents: 'a completion that loads more than the names it prints',
  },
  'bin/program.ts': {
    rooms: ['bin', 'bin/*', 'lib/settings', 'packages/emulator/command.ts'],
    packages: ['commander'],
    prevents: 'a command of teams that does more than it loads',
  },
  'bin/init': {
    rooms: ['bin/terminal.ts', 'lib/settings'],
    prevents: 'a repository of a team that depends on the code of the stacks',
  },
  'bin/init/files/app.ts': {
    // What the package exports.
    rooms: ['lib/gpu-endpoints.ts'],
    packages: ['aws-cdk-lib'],
    prevents: 'an app that a team could not have, because it uses more than the package exports',
  },
  'bin/package': {
    rooms: ['lib/settings', 'lib/constructs'],
    packages: ['esbuild'],
    prevents: 'a package with other code than that of a deployment from this repository',
  },
  'bin/start': {
    rooms: ['packages/emulator', 'bin/assembly', 'bin/environment-name.ts', 'bin/outputs-file.ts', 'lib/settings'],
    prevents: 'emulators that know the product: only this room describes it to them',
  },
  'packages/emulator': {
    packages: 'dependencies',
    prevents: 'a laptop that runs something other than the deployed stacks',
  },
  'packages/emulator/sample': {
    // What the package exports for apps.
    rooms: ['packages/emulator/command.ts', 'packages/emulator/product.ts'],
    packages: ['@aws-sdk/*', 'aws-cdk-lib', 'constructs'],
    prevents: 'a sample that other apps could not follow, because it uses more than the emulator exports',
  },
  'packages/emulator/test': {
    rooms: ['packages/emulator', 'test/runner'],
    packages: 'dependencies and devDependencies',
    prevents: 'tests of the emulators that a change of the product breaks',
  },
  'packages/console': {
    packages: [
      ...['react', 'react-dom', '@cloudscape-design/*', '@tanstack/*', 'wouter', 'oidc-client-ts'],
      ...['markdown-it', 'dompurify', 'codemirror', '@codemirror/*', '@lezer/highlight'],
    ],
    isForBrowsers: true,
    prevents: 'pages that do more than the interfaces offer, or that need what browsers do not have',
  },
  'packages/console/build': {
    rooms: ['packages/console'],
    packages: ['vite'],
    prevents: 'a build that sends code of the service to browsers',
  },
  'packages/console/test': {
    rooms: [
      ...['packages/console', 'packages/console/build'],
      // `service.ts` starts the service for the tests in a browser.
      ...['test/acceptance/assembly.ts', 'test/acceptance/local-service.ts', 'test/acceptance/moving-fleet.ts'],
    ],
    packages: ['@jest/globals', 'esbuild', 'fast-check', 'playwright-core'],
    prevents: 'tests of pages that depend on how the service is implemented',
  },
  'docs/.vitepress': {
    packages: ['vite', 'vitepress', 'vue'],
    prevents: 'pages of the site that differ from the documents on GitHub',
  },
};

/** Folders of the product. */
const PRODUCT = '^(?:aws|bin|core|ingress|lambda|lib|worker)/';
const TESTS = '\\.(?:test|long)\\.ts$';

/** What `packages/lab` and the rest of the repository may not import from each other. */
const laboratory: readonly IRegularForbiddenRuleType[] = [
  {
    name: 'to packages/lab',
    comment: 'Prevents tests of the product that depend on what measures and proves it.',
    from: { pathNot: '^packages/lab/' },
    to: { path: '^packages/lab/' },
  },
  {
    // `calls`, `growth` and `purge` drive parts of the product without its clients.
    name: 'packages/lab/bench',
    comment: 'Prevents measurements of anything that clients and AWS cannot see.',
    from: { path: '^packages/lab/bench/(?!(?:calls|growth|purge)/)', pathNot: TESTS },
    to: { path: PRODUCT, pathNot: ['^bin/', '^lib/prices/'] },
  },
  {
    name: 'packages/lab/rehearsal',
    comment: 'Prevents a rehearsal that has more information about the stacks than AWS.',
    from: { path: '^packages/lab/rehearsal/', pathNot: TESTS },
    to: { path: PRODUCT },
  },
];

/** Returns a pattern of the paths of a room or a file. */
function pathsOf(room: string): string {
  if (room.endsWith('.ts')) return `^${room}$`;
  if (room.endsWith('/*')) return `^${room.slice(0, -1)}`;
  const within = Object.keys(walls).filter((other) => other.startsWith(`${room}/`));
  return `^${room}/${within.map((other) => `(?!${other.slice(room.length + 1)}(?:/|$))`).join('')}`;
}

/** Returns a pattern of the files of a package, or of its name if it has no file that Node.js could load. */
const filesOf = (name: string) => `(?:^|node_modules/)${name.replace('*', '[^/]+')}(?:/|$)`;

function ruleOf(room: string, { rooms = [], packages = [], isForBrowsers, prevents }: Wall): IRegularForbiddenRuleType {
  const [names, declared] = typeof packages === 'string' ? [[], DECLARED[packages]] : [packages, []];
  return {
    name: room,
    comment: `Prevents ${prevents}.`,
    // Files such as `vite.config.ts` belong to a tool, not to the room.
    from: { path: pathsOf(room), pathNot: '\\.config\\.' },
    to: {
      pathNot: [...[room, ...rooms].map(pathsOf), ...names.map(filesOf)],
      dependencyTypesNot: isForBrowsers ? [...declared] : ['core', ...declared],
    },
  };
}

export default {
  forbidden: [...Object.entries(walls).map(([room, wall]) => ruleOf(room, wall)), ...laboratory].map((rule) => ({
    ...rule,
    severity: 'error',
  })),
  options: {
    // This parser reads imports of types without the API of TypeScript's compiler, which version 7 lacks.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    // Folders that Git ignores.
    exclude: { path: '(?:^|/)(?:cdk\\.out|coverage|dist|\\.local|\\.temp)/' },
    skipAnalysisNotInRules: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
} satisfies IConfiguration;
