/** Test files are plain modules of Node.js, which strips the types by itself: ADR 0011. */
export default {
  roots: ['<rootDir>/test', '<rootDir>/local/test'],
  testMatch: ['**/*.test.ts'],
  testEnvironment: '<rootDir>/test/runner/environment.ts',
  runtime: '<rootDir>/test/runner/runtime.ts',
  transform: {},
  testSequencer: '<rootDir>/test/runner/longest-first.ts',
  globalSetup: '<rootDir>/test/runner/before-all-files.ts',
  globalTeardown: '<rootDir>/test/runner/after-all-files.ts',
  reporters: ['<rootDir>/test/runner/reporter.ts'],
  // The report lists the tests of a run of one file by itself; Jest would show its console also when it is green.
  verbose: false,
  // Tests of the whole service wait half of their time: on two cores, three processes take a third less than two.
  maxWorkers: 3,
  // A process with the CDK takes half a second to end, longer on a busy machine; Jest would say that a test leaks.
  workerGracefulExitTimeout: 10_000,
  // A loaded machine is slow to start emulators.
  testTimeout: 120_000,
};
