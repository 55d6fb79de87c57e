/** ES modules all the way (middy 7 has no CommonJS build), TypeScript stripped by swc. */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testSequencer: '<rootDir>/test/longest-first.mjs',
  globalSetup: '<rootDir>/test/once-for-all-tests.ts',
  globalTeardown: '<rootDir>/test/after-all-tests.ts',
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' }, sourceMaps: 'inline' },
    ],
  },
  maxWorkers: 2,
  // A process that has run a hundred files is several times slower than a new one: what they leave behind is kept.
  workerIdleMemoryLimit: '300MB',
  // A loaded machine is slow to start emulators.
  testTimeout: 120_000,
};
