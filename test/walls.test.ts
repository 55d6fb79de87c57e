/** The import walls of docs/architecture.md: what each room may import, and the accident that the wall prevents. */
import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';

interface Wall {
  readonly rooms: readonly string[];
  /** Package names; a trailing `*` stands for any rest. */
  readonly packages: readonly string[];
  readonly prevents: string;
  /** Files that may import from other rooms, and why. */
  readonly gates?: Readonly<Record<string, { readonly rooms: readonly string[]; readonly because: string }>>;
}

const walls: Readonly<Record<string, Wall>> = {
  core: {
    rooms: ['core'],
    packages: ['zod'],
    prevents: 'a rule of the product that can only be tested with AWS, or that differs between cloud and laptop',
  },
  aws: {
    rooms: ['aws', 'core'],
    packages: ['@aws-sdk/*', '@smithy/node-http-handler', 'aws-jwt-verify', 'p-limit', 'zod'],
    prevents: 'a store that knows who calls it, and so a second store for the next caller',
  },
  'lambda/webhooks/egress': {
    rooms: ['lambda/webhooks/egress', 'core'],
    packages: [],
    prevents: 'a call to an address of a stranger by a process with rights in this account',
  },
  lambda: {
    rooms: ['lambda', 'core', 'aws'],
    packages: ['@middy/core', '@aws-lambda-powertools/*', 'aws-lambda', 'zod'],
    prevents: 'CDK in a handler bundle: 30 MB and a cold start of seconds',
    gates: {
      'lambda/webhooks/deliver.ts': {
        rooms: ['lambda/webhooks/egress'],
        because: 'it sends webhooks; no other function calls an address that a client chose',
      },
    },
  },
  ingress: {
    rooms: ['ingress', 'core', 'aws'],
    packages: ['@aws-lambda-powertools/*'],
    prevents: 'an answer that depends on whether a function or the ingress gives it',
    gates: {
      'ingress/main.ts': {
        rooms: ['lambda'],
        because: 'what is set aside is logged and counted in one way',
      },
    },
  },
  worker: {
    rooms: ['worker', 'core', 'aws'],
    packages: ['@aws-lambda-powertools/*', 'eventsource-parser'],
    prevents: 'an agent that depends on how the API is built',
  },
  lib: {
    rooms: ['lib', 'lib/prices', 'core'],
    packages: ['aws-cdk-lib', 'cdk-nag', 'constructs', 'esbuild', 'zod', 'yaml'],
    prevents: 'runtime code that runs at synth, with the credentials of the deployer',
  },
  local: {
    rooms: ['local'],
    packages: ['@aws-sdk/*', 'aws-local-stepfunctions', 'fauxqs', 'p-limit', 'yaml', 'zod'],
    prevents: 'a laptop that runs something other than the stacks that are deployed',
  },
  'local/test': {
    rooms: ['local', 'local/test'],
    packages: ['@aws-sdk/*', '@jest/globals', '@middy/core', 'aws-cdk-lib', 'fast-check'],
    prevents: 'a test of the emulators that a change of the product breaks',
    gates: {
      'local/test/aws-proxy/small-proxy.ts': { rooms: ['test'], because: 'it shares the emulators of the test runner' },
      'local/test/cognito/cognito.test.ts': {
        rooms: ['aws', 'core'],
        because: 'the adapter of the product verifies the tokens that the issuer signs',
      },
      'local/test/ecs/capacity.test.ts': { rooms: ['test'], because: 'it runs pools as the stacks declare them' },
      'local/test/ecs/task.test.ts': { rooms: ['test'], because: 'it looks at processes as the test runner does' },
      'local/test/gateway/throttle.test.ts': {
        rooms: ['core', 'lib', 'test'],
        because: 'it compares the buckets with the limits of the routes, for seeds of the test runner',
      },
      'local/test/iam/iam.test.ts': {
        rooms: ['lib'],
        because: 'it evaluates the grants of a table as the CDK writes them',
      },
      'local/test/logs/logs.test.ts': {
        rooms: ['aws', 'core'],
        because: 'the adapter of the product reads the logs that containers write',
      },
      'local/test/state/state-directory.test.ts': {
        rooms: ['test'],
        because: 'it looks at processes as the test runner does',
      },
    },
  },
  bin: {
    rooms: ['bin', 'lib', 'core', 'aws', 'bin/doctor', 'bin/stacks', 'bin/synthesized'],
    packages: ['aws-cdk-lib', 'json-schema-to-typescript'],
    prevents: 'commands that only work on a laptop',
  },
  console: {
    rooms: ['console'],
    packages: [
      ...['react', 'react-dom', '@cloudscape-design/*', '@tanstack/*', 'wouter', 'oidc-client-ts'],
      ...['markdown-it', 'dompurify', 'codemirror', '@codemirror/*', '@lezer/highlight', 'vite'],
    ],
    prevents: 'a page that does what the interfaces do not offer, or brings code of the service to browsers',
  },
  examples: {
    rooms: ['worker'],
    packages: [],
    prevents: 'an example that uses what a worker author does not have',
  },
  'lib/prices': {
    rooms: ['lib/prices'],
    packages: ['yaml', 'zod'],
    prevents: 'a price that depends on where it is shown',
  },
  'bin/synthesized': {
    rooms: ['bin/synthesized'],
    packages: [],
    prevents: 'a look at the stacks that knows what made them, and sees what is not deployed',
  },
  'bin/doctor': {
    rooms: ['bin/doctor', 'bin/synthesized', 'core'],
    packages: ['@aws-sdk/*'],
    prevents: 'a check of something else than what the stacks need',
  },
  'bin/stacks': {
    rooms: ['bin/stacks', 'bin/synthesized', 'bin/doctor'],
    packages: ['@aws-sdk/*'],
    prevents: 'a comparison with something else than the stacks that are deployed',
  },
  'test/rehearsal': {
    rooms: ['test/rehearsal'],
    packages: ['@aws-sdk/*', 'yaml'],
    prevents: 'a rehearsal that knows more of the stacks than AWS does',
  },
  'test/bench': {
    rooms: ['test/bench', 'lib/prices', 'bin/synthesized'],
    packages: ['yaml', 'zod', 'playwright-core'],
    prevents: 'a measurement of something else than what clients and AWS see of the service',
    gates: {
      'test/bench/purge/backlog.ts': {
        rooms: ['core', 'aws'],
        because: 'clients may submit 100 jobs a second; what it makes ready is measured from outside',
      },
      'test/bench/calls/waits.ts': {
        rooms: ['core', 'aws'],
        because: '200 calls that wait for a minute share the reads of a process, on a clock that jumps',
      },
      'test/bench/calls/streams.ts': {
        rooms: ['core', 'worker'],
        because: 'what an agent writes and a call reads in a second of a stream is counted on a clock that jumps',
      },
      'test/bench/console/main.ts': {
        rooms: ['test'],
        because: 'it opens the Chromium of the tests',
      },
      'test/bench/console/measure.ts': {
        rooms: ['test'],
        because: 'it signs in and moves the clock of a page as the tests of the console do',
      },
      'test/bench/streams/main.ts': {
        rooms: ['test'],
        because: "it runs a worker with RunPod's SDK, which the tests of workers install",
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
    .filter((file) => !room.startsWith('test/') || !/\.(test|long)\.ts$/.test(file));

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

/** Rooms without a circle of imports, those of types included. */
const withoutCircles = ['local'];

/** The first circle of imports that a file is part of, as paths; empty if it is part of none. */
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
  it('form no circle', () => {
    const done = new Set<string>();
    const files = globSync(`${room}/**/*.ts`, { exclude: [`${room}/test/**`] });
    expect(files.flatMap((file) => circleAt(file, [], done))).toEqual([]);
  });
});

describe('the knowledge of local/ about the product', () => {
  it('is passed in by its two programs', () => {
    const importers = globSync('local/**/*.ts', { exclude: ['local/test/**'] }).filter((file) =>
      importsOf(file).some((specifier) => specifier.endsWith('/gpu-endpoints.ts')),
    );
    expect(importers.sort()).toEqual(['local/attach-server/main.ts', 'local/main.ts']);
  });

  it('is in one file', () => {
    const names = /\b(?:JobApiUrl|KeysTable|WEBHOOK_NETWORKS|AGENT_PORT|Custom::\w+|bin\/\w+)\b/;
    const knowing = globSync('local/**/*.ts', { exclude: ['local/test/**'] }).filter((file) =>
      names.test(readFileSync(file, 'utf8')),
    );
    expect(knowing).toEqual(['local/gpu-endpoints.ts']);
  });
});

describe('the pages of the console', () => {
  it('use nothing that a browser lacks', () => {
    const ofNode = globSync('console/**/*.{ts,tsx}')
      .filter((file) => !file.startsWith('console/build/') && file !== 'console/vite.config.ts')
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
      globSync('{bin,lib,core,aws,console,ingress,lambda,worker,local,examples,test}/**/*.{ts,tsx}').filter((f) =>
        vague.test(f),
      ),
    ).toEqual([]);
  });

  it('read environment variables where the architecture says', () => {
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
    // The deployment names the issuer of tokens, and CloudFormation where to send the response of a custom resource.
    expect(calling).toEqual(['lambda/custom-resource.ts', 'aws/users/tokens.ts']);
  });

  it('set the status of a job only in the job machine', () => {
    const assignment = /status['"]?\s*(:|=)\s*['"](IN_QUEUE|IN_PROGRESS|COMPLETED|FAILED|CANCELLED|TIMED_OUT)/;
    const assigning = globSync('{bin,lib,core,aws,lambda,worker}/**/*.ts').filter((file) =>
      assignment.test(readFileSync(file, 'utf8')),
    );
    expect(assigning).toEqual(['core/jobs/machine.ts']);
  });

  it('have no file of more than 300 lines', () => {
    const lines = (file: string) => readFileSync(file, 'utf8').split('\n').length;
    expect(
      globSync(
        '{{bin,lib,core,aws,console,ingress,lambda,worker,local,examples}/**,test/bench/**,test/rehearsal}/*.{ts,tsx}',
        // What `npm run console:types` writes.
        { exclude: ['console/api/*-types.ts', 'local/test/**'] },
      ).filter((f) => lines(f) > 301),
    ).toEqual([]);
  });
});
