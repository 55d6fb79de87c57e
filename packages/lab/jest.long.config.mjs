/** The long tests of the lab. */
import config from './jest.config.mjs';

export default { ...config, testMatch: ['**/*.long.ts'] };
