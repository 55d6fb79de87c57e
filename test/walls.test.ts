/**
 * The import walls of docs/explanation/architecture.md ("The rooms"): what each room can import, and the mistake that
 * the wall prevents.
 */
import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';

interface Wall {
  readonly rooms: readonly string[];
  /** Package names; a trailing `*` matches any string. */
  readonly packages: readonly string[];
  readonly prevents: string;
  /** Files that can import from other rooms, and why. */
  readonly gates?: Readonly<Record<string, { readonly rooms: readonly string[]; readonly because: string }>>;
}

const walls: Readonly<Record<string, Wall>> = {
  core: {
    rooms: ['core'],
    packages: ['p-limit', 'zod'],
    prevents: 'rules of the product that can only be tested with AWS, or that differ between cloud and laptop',
  },
  aws: {
    rooms: ['aws', 'core'],
    packages: ['@aws-sdk/*', '@smithy/*', 'aws-jwt-verify', 'p-limit', 'zod'],
    prevents: 'stores that depend on their callers, so that another caller needs another store',
  },
  'lambda/webhooks/egress': {
    rooms: ['lambda/webhooks/egress', 'core'],
    packages: [],
    prevents: 'calls to unknown addresses by a process with permissions in this account',
  },
  lambda: {
    rooms: ['lambda', 'core', 'aws'],
    packages: ['@middy/core', '@aws-lambda-powertools/*', 'aws-lambda', 'zod'],
    prevents: 'CDK in a handler bundle: 30 MB and a cold start of seconds',
    gates: {
      'lambda/webhooks/deliver.ts': {
        rooms: ['lambda/webhooks/egress'],
        because: 'it sends webhooks, and no other function calls an address that a client chose',
      },
    },
  },
  ingress: {
    rooms: ['ingress', 'core', 'aws'],
    packages: ['@aws-lambda-powertools/*'],
    prevents: 'responses that depend on whether a function or the ingress sends them',
    gates: {
      'ingress/main.ts': {
        rooms: ['lambda'],
        because: 'it logs and counts items that are set aside like the functions',
      },
    },
  },
  worker: {
    rooms: ['worker', 'core', 'aws'],
    packages: ['@aws-lambda-powertools/*', 'eventsource-parser'],
    prevents: 'an agent that depends on the implementation of the API',
  },
  lib: {
    rooms: ['lib', 'lib/prices', 'core'],
    packages: ['aws-cdk-lib', 'cdk-nag', 'constructs', 'esbuild', 'zod', 'yaml'],
    prevents: 'runtime code that runs at synth, with the credentials of the deployer',
  },
  'packages/emulator': {
    rooms: ['packages/emulator'],
    packages: [
      ...['@aws-sdk/*', '@smithy/core', '@smithy/signature-v4', 'aws-local-stepfunctions', 'fauxqs'],
      ...['p-limit', 'undici', 'yaml', 'zod'],
    ],
    prevents: 'a laptop that runs something other than the deployed stacks',
  },
  'packages/emulator/test': {
    rooms: ['packages/emulator', 'packages/emulator/test'],
    packages: ['@aws-sdk/*', '@jest/globals', '@middy/core', '@smithy/core', '@smithy/signature-v4'],
    prevents: 'tests of the emulators that a change of the product breaks',
    gates: {
      'packages/emulator/test/aws-proxy/small-proxy.ts': {
        rooms: ['test'],
        because: 'it shares the emulators of the test runner',
      },
      'packages/emulator/test/ecs/task.test.ts': {
        rooms: ['test'],
        because: 'it inspects processes like the test runner',
      },
      'packages/emulator/test/state/state-directory.test.ts': {
        rooms: ['test'],
        because: 'it inspects processes like the test runner',
      },
    },
  },
  'packages/emulator/sample': {
    rooms: ['packages/emulator/sample'],
    packages: ['@aws-sdk/*', '@gpu-endpoints/emulator', 'aws-cdk-lib'],
    prevents: 'a sample that other apps could not follow, because it uses more than the emulator exports',
  },
  bin: {
    rooms: [
      'bin',
      'lib',
      'lib/prices',
      'core',
      'aws',
      'bin/cost',
      'bin/doctor',
      'bin/execution-policy',
      'bin/reference',
      'bin/remove',
      'bin/saturation',
      'bin/stacks',
      'bin/assembly',
      'bin/job-calls',
    ],
    packages: ['@aws-sdk/client-ec2', 'aws-cdk-lib', 'json-schema-to-typescript', 'yaml'],
    prevents: 'commands that only work on a laptop',
  },
  'packages/console': {
    rooms: ['packages/console'],
    packages: [
      ...['react', 'react-dom', '@cloudscape-design/*', '@tanstack/*', 'wouter', 'oidc-client-ts'],
      ...['markdown-it', 'dompurify', 'codemirror', '@codemirror/*', '@lezer/highlight', 'vite'],
    ],
    prevents: 'pages that do more than the interfaces offer, or that send code of the service to browsers',
  },
  'packages/console/test': {
    rooms: ['packages/console', 'packages/console/test'],
    packages: ['@jest/globals', 'esbuild', 'fast-check', 'playwright-core'],
    prevents: 'tests of pages that depend on how the service is implemented',
    gates: {
      'packages/console/test/service.ts': { rooms: ['test'], because: 'it starts the service for tests of pages' },
    },
  },
  'docs/.vitepress': {
    rooms: ['docs/.vitepress'],
    packages: ['vitepress', 'vite', 'vue'],
    prevents: 'pages of the site that differ from the documents on GitHub',
  },
  examples: {
    rooms: ['worker'],
    packages: [],
    prevents: 'examples that need something that authors of workers do not have',
  },
  'lib/prices': {
    rooms: ['lib/prices'],
    packages: ['yaml', 'zod'],
    prevents: 'prices that depend on where they are shown',
  },
  'bin/assembly': {
    rooms: ['bin/assembly'],
    packages: [],
    prevents: 'a reader of the stacks that depends on their code instead of on what is deployed',
  },
  'bin/job-calls': {
    rooms: ['bin/job-calls', 'lib/prices'],
    packages: [],
    prevents: 'counted calls that only the benchmarks can read',
  },
  'bin/cost': {
    rooms: ['bin/cost', 'bin', 'bin/assembly', 'bin/job-calls', 'lib/prices', 'core'],
    packages: [],
    prevents: 'costs of anything other than the synthesized stacks and counted calls',
  },
  'bin/saturation': {
    rooms: ['bin/saturation', 'bin', 'bin/job-calls', 'lib/prices', 'core'],
    packages: ['yaml', 'zod'],
    prevents: 'limits that differ from the code of the service',
  },
  'bin/doctor': {
    rooms: ['bin/doctor', 'bin/assembly', 'core'],
    packages: ['@aws-sdk/*', 'yaml', 'zod'],
    prevents: 'checks of anything that the stacks do not need',
  },
  'bin/stacks': {
    rooms: ['bin/stacks', 'bin/assembly', 'bin/doctor', 'core'],
    packages: ['@aws-sdk/*'],
    prevents: 'a comparison with anything other than the deployed stacks',
  },
  'bin/remove': {
    rooms: ['bin/remove', 'bin/doctor', 'bin/assembly', 'lib', 'aws', 'core'],
    packages: ['@aws-sdk/*', 'p-limit'],
    prevents: 'a removal of what is declared instead of what is deployed',
  },
  'bin/execution-policy': {
    rooms: ['bin/execution-policy'],
    packages: ['yaml', 'zod'],
    prevents: 'policies that depend on the code of the stacks instead of on the calls of CloudFormation',
  },
  'bin/start': {
    rooms: ['bin/start', 'packages/emulator'],
    packages: [],
    prevents: 'emulators that know the product: only this room describes it to them',
  },
  'bin/reference': {
    rooms: ['bin/reference', 'bin', 'lib', 'core'],
    packages: ['zod'],
    prevents: 'a reference with rules that the schemas do not have',
    gates: {
      'bin/reference/images.ts': { rooms: ['packages/emulator'], because: 'the list of images belongs to `npm start`' },
    },
  },
  'test/support': {
    rooms: ['test/support', 'test', 'bin/assembly', 'lib', 'core', 'aws', 'packages/emulator'],
    packages: ['@aws-sdk/*', '@jest/globals', 'aws-cdk-lib', 'fast-check', 'p-limit', 'yaml'],
    prevents: 'set-ups of tests that depend on the benchmarks or the rehearsal',
  },
  'packages/lab/rehearsal': {
    rooms: ['packages/lab/rehearsal', 'test/support'],
    packages: ['@aws-sdk/*', 'yaml'],
    prevents: 'a rehearsal that has more information about the stacks than AWS',
    gates: {
      'packages/lab/rehearsal/emulator.ts': {
        rooms: ['packages/emulator'],
        because: 'it finds a free port like the local service',
      },
    },
  },
  'packages/lab/bench': {
    rooms: [
      'packages/lab/bench',
      'packages/lab/bench/peers',
      'test/support',
      'bin',
      'bin/assembly',
      'bin/job-calls',
      'lib/prices',
    ],
    packages: ['@jest/globals', 'playwright-core'],
    prevents: 'measurements of anything that clients and AWS cannot see',
    gates: {
      'packages/lab/bench/growth/measure.ts': {
        rooms: ['aws', 'core', 'packages/emulator', 'test'],
        because: 'it prepares queues of a million jobs, and waits for no cache to expire',
      },
      'packages/lab/bench/growth/operations.ts': {
        rooms: ['aws', 'core', 'worker'],
        because: 'it runs the use-cases of functions and agents without the time of a gateway',
      },
      'packages/lab/bench/purge/backlog.ts': {
        rooms: ['core', 'aws'],
        because: 'it prepares more jobs than clients can submit, and measures from outside',
      },
      'packages/lab/bench/calls/waits.ts': {
        rooms: ['core', 'aws'],
        because: 'it lets 200 waiting calls share the reads of a process, on a clock that it moves',
      },
      'packages/lab/bench/calls/streams.ts': {
        rooms: ['core', 'worker'],
        because: 'it counts the writes of an agent and the reads of a call for a stream, on a clock that it moves',
      },
      'packages/lab/bench/processes.ts': { rooms: ['test'], because: 'it reads /proc like the test runner' },
      'packages/lab/bench/crash/main.ts': {
        rooms: ['test'],
        because: 'it kills the container of a worker like tests of crashes',
      },
      'packages/lab/bench/console/main.ts': {
        rooms: ['packages/console/test'],
        because: 'it opens the Chromium of the tests',
      },
      'packages/lab/bench/console/measure.ts': {
        rooms: ['packages/console/test'],
        because: 'it signs in and moves the clock of a page like the tests of the console',
      },
      'packages/lab/bench/streams/main.ts': {
        rooms: ['test'],
        because: "it runs a worker with RunPod's SDK, which the tests of workers install",
      },
    },
  },
  'packages/lab/bench/peers': {
    rooms: ['packages/lab/bench/peers', 'packages/lab/bench', 'test/support', 'bin', 'bin/job-calls', 'lib/prices'],
    packages: ['@aws-sdk/client-dynamodb', '@aws-sdk/client-sqs'],
    prevents: 'a comparison that knows more of this service than of the others',
    gates: {
      ...Object.fromEntries(
        ['bullmq', 'graphile-worker', 'supervised'].map((name) => [
          `packages/lab/bench/peers/${name}.ts`,
          { rooms: ['packages/emulator'], because: 'it finds a free port like the local service' },
        ]),
      ),
      'packages/lab/bench/peers/aws-sample.ts': {
        rooms: ['packages/emulator'],
        because: 'it runs on the emulators of the local service',
      },
      'packages/lab/bench/peers/runpod.ts': {
        rooms: ['packages/emulator', 'test'],
        because: "it needs a free port, and RunPod's SDK, which the tests of workers install",
      },
    },
  },
};

const IMPORT = /(?:^|\n)\s*(?:import|export)\s(?:[^'";]*?\sfrom\s)?'([^']+)'|import\('([^'$]+)'\)/g;

const importsOf = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, from, dynamic]) => from ?? dynamic ?? '');

const packageOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

const matches = (pattern: string, name: string) =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

/** Returns the room of a file: the deepest folder with a wall, or else the folder at the root. */
function roomOf(file: string): string {
  const [folder = ''] = file.split('/');
  const rooms = Object.keys(walls).filter((room) => file.startsWith(`${room}/`));
  return rooms.toSorted((one, other) => other.length - one.length)[0] ?? folder;
}

/** @returns whether the wall allows the file this import */
function allowed(wall: Wall, file: string, specifier: string): boolean {
  if (specifier.startsWith('node:') || builtinModules.includes(specifier)) return true;
  if (!specifier.startsWith('.')) return wall.packages.some((pattern) => matches(pattern, packageOf(specifier)));
  const room = roomOf(normalize(join(dirname(file), specifier)));
  return wall.rooms.includes(room) || wall.gates?.[file]?.rooms.includes(room) === true;
}

describe.each(Object.entries(walls))('%s/', (room, wall) => {
  // A room within a room has its own wall. The rehearsal and the benchmarks are beside their tests, which have none.
  const files = globSync(`${room}/**/*.{ts,tsx}`)
    .filter((file) => roomOf(file) === room)
    .filter((file) => !/^(?:test|packages\/lab)\//.test(room) || !/\.(test|long)\.ts$/.test(file));

  it('has files to check', () => {
    expect(files.length).toBeGreaterThan(0);
  });

  it(`keeps its wall, which prevents ${wall.prevents}`, () => {
    const breaches = files.flatMap((file) =>
      importsOf(file)
        .filter((specifier) => !allowed(wall, file, specifier))
        .map((specifier) => `${file} imports ${specifier}`),
    );
    expect(breaches).toEqual([]);
  });
});

/** Rooms without circular imports, including imports of types. */
const withoutCircles = ['packages/emulator'];

/** Returns the first import cycle that contains the file, as paths, or an empty list. */
function circleAt(file: string, path: readonly string[], done: Set<string>): readonly string[] {
  if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
  if (done.has(file)) return [];
  const targets = importsOf(file)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => normalize(join(dirname(file), specifier)))
    .filter((target) => target.endsWith('.ts'));
  for (const target of targets) {
    const circle = circleAt(target, [...path, file], done);
    if (circle.length > 0) return circle;
  }
  done.add(file);
  return [];
}

describe.each(withoutCircles)('the imports of %s/', (room) => {
  it('contain no cycle', () => {
    const done = new Set<string>();
    const files = globSync(`${room}/**/*.ts`, { exclude: [`${room}/test/**`] });
    expect(files.flatMap((file) => circleAt(file, [], done))).toEqual([]);
  });
});

/** Folders of what measures and proves the service. */
const LAB = /^packages\/lab\//;

describe('the tests of the product', () => {
  it('import nothing of what measures and proves it', () => {
    const files = globSync('{test,packages,docs/.vitepress}/**/*.{ts,tsx}').filter((file) => !LAB.test(file));
    const breaches = files.flatMap((file) =>
      importsOf(file)
        .filter((specifier) => specifier.startsWith('.') && LAB.test(normalize(join(dirname(file), specifier))))
        .map((specifier) => `${file} imports ${specifier}`),
    );
    expect(breaches).toEqual([]);
  });
});

describe('the pages of the console', () => {
  it('import nothing that browsers do not have', () => {
    const ofNode = globSync('packages/console/**/*.{ts,tsx}')
      .filter((file) => !/^packages\/console\/(?:build\/|test\/|vite\.config\.ts)/.test(file))
      .flatMap((file) => importsOf(file).map((specifier) => [file, specifier] as const))
      .filter(
        ([, specifier]) =>
          specifier.startsWith('node:') || /^(?:\.\.\/)*build\//.test(specifier) || specifier === 'vite',
      );
    expect(ofNode).toEqual([]);
  });
});

describe('the rooms', () => {
  it('have no vague names', () => {
    const vague = /(^|\/)(utils?|helpers?|common|misc|shared|managers?)(\/|\.ts$)/i;
    expect(
      globSync('{bin,lib,core,aws,ingress,lambda,worker,examples,packages,test}/**/*.{ts,tsx}').filter((f) =>
        vague.test(f),
      ),
    ).toEqual([]);
  });

  it('read environment variables only where the architecture allows it', () => {
    const readers = globSync('{core,lib,lambda,worker,examples}/**/*.ts').filter((file) =>
      readFileSync(file, 'utf8').includes('process.env'),
    );
    expect(readers).toEqual([]);
  });

  it('call addresses of clients only in `lambda/webhooks/egress/`', () => {
    const calls = /\bfetch\(|from 'node:(https?|http2|tls)'/;
    const calling = globSync('{core,aws,lambda}/**/*.ts')
      .filter((file) => roomOf(file) !== 'lambda/webhooks/egress')
      .filter((file) => calls.test(readFileSync(file, 'utf8')));
    // The deployment sets the URL of the token issuer and of the ingress, and CloudFormation the URL for a custom
    // resource's response.
    expect(new Set(calling)).toEqual(new Set(['lambda/custom-resource.ts', 'aws/link.ts', 'aws/users/tokens.ts']));
  });

  it('set the status of a job only in the job machine', () => {
    const assignment = /status['"]?\s*(:|=)\s*['"](IN_QUEUE|IN_PROGRESS|COMPLETED|FAILED|CANCELLED|TIMED_OUT)/;
    const assigning = globSync('{bin,lib,core,aws,lambda,worker,ingress}/**/*.ts').filter((file) =>
      assignment.test(readFileSync(file, 'utf8')),
    );
    expect(assigning).toEqual(['core/jobs/machine.ts']);
  });

  it('have no file of more than 300 lines', () => {
    const lines = (file: string) => readFileSync(file, 'utf8').split('\n').length;
    expect(
      globSync(
        '{bin,lib,core,aws,packages,docs/.vitepress,ingress,lambda,worker,examples}/**/*.{ts,tsx}',
        // `npm run console:types` generates this file.
        { exclude: ['packages/console/api/*-types.ts', 'packages/*/test/**'] },
      ).filter((f) => lines(f) > 301),
    ).toEqual([]);
  });
});
