/** Test files are plain modules of Node.js, which itself strips the types: ADR 0011. */
export default {
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  testEnvironment: '<rootDir>/test/runner/environment.ts',
  runtime: '<rootDir>/test/runner/runtime.ts',
  transform: {},
  testSequencer: '<rootDir>/test/runner/longest-first.ts',
  globalSetup: '<rootDir>/test/runner/before-all-files.ts',
  globalTeardown: '<rootDir>/test/runner/after-all-files.ts',
  reporters: ['<rootDir>/test/runner/reporter.ts'],
  // The custom reporter lists the tests of a single file. With `verbose`, Jest would print output of passed tests.
  verbose: false,
  // Tests of the whole service wait half of the time. On two cores, three processes need a third less time than two.
  maxWorkers: 3,
  // A process with the CDK takes half a second to exit, longer on a busy machine. Otherwise Jest would report a leak.
  workerGracefulExitTimeout: 10_000,
  // Emulators start slowly on a busy machine.
  testTimeout: 120_000,
};
