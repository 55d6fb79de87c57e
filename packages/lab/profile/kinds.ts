/** Determines the kind of a process of a test run from its command. */

const kinds: readonly (readonly [name: string, command: RegExp])[] = [
  ['test files', /jest-worker\S*processChild/],
  ['jest', /\/jest(?:\.js)?(?: |$)/],
  ['DynamoDB emulator', /dynoxide serve/],
  ['queue and bucket emulator', /emulators-process/],
  ['npm start', /bin\/start\/main\.mjs/],
  ['agents', /worker\/main\.ts/],
  ['benchmarks', /bench\//],
  ['containers', /examples\/|runner|handler|worker/],
  ['synthesis', /bin\/gpu-endpoints\.ts|synthesize/],
  ['bundler', /esbuild/],
  ['commands', /bin\//],
  ['Python', /python|pip/],
];

export const kindOf = (command: string): string => kinds.find(([, pattern]) => pattern.test(command))?.[0] ?? 'others';
