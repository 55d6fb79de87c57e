/** The long tests, which `.ci/run` runs after the other tests, with the same runner. */
import config from './jest.config.mjs';

export default { ...config, testMatch: ['**/*.long.ts'] };
