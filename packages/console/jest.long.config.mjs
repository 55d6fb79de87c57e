/** The long tests of the console, most of them in a browser. */
import config from './jest.config.mjs';

export default { ...config, testMatch: ['**/*.long.ts'] };
