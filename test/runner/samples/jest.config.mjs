/** Runs the samples as `npm test` runs tests. */
import { fileURLToPath } from 'node:url';
import config from '../../../jest.config.mjs';

export default {
  ...config,
  rootDir: fileURLToPath(new URL('../../../', import.meta.url)),
  roots: ['<rootDir>/test/runner/samples'],
  testMatch: ['**/*.sample.ts'],
  maxWorkers: 1,
};
