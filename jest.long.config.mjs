/** The long proofs, which `.ci/run` runs after the tests: the same runner, other files. */
import config from './jest.config.mjs';

export default { ...config, testMatch: ['**/*.long.ts'] };
