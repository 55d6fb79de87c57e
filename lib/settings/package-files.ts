/** The files of this package: the sources in its repository, and what `npm run package` builds from them. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of this package. Its files are found in it, regardless of the working directory. */
export const packageFolder = dirname(dirname(import.meta.dirname));

const BUILT = join(packageFolder, 'built');

/** Whether functions, images and the console are built already, as in an installed package. */
export const isBuilt = existsSync(BUILT);

/** Returns the path of a file or folder that `npm run package` has built. */
export const builtFile = (...path: readonly string[]): string => join(BUILT, ...path);
