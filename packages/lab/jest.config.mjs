/** The tests of the lab, with the runner of the root. */
import { fileURLToPath } from 'node:url';
import config from '../../jest.config.mjs';

export default {
  ...config,
  rootDir: fileURLToPath(new URL('../../', import.meta.url)),
  roots: ['<rootDir>/packages/lab'],
};
