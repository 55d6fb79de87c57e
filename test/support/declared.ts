/**
 * The declarations of the tests: the examples of this repository. A team changes those in `endpoints/`, `capacity/`,
 * `templates/` and `environments/`, so no test reads them.
 */
import { resolve } from 'node:path';

/** The folder of the declarations. */
export const declared = resolve('test/declared');
