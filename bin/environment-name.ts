/** The names that `--env` takes: `local`, an environment of the repository, or a profile. */
import { isBuilt } from '../lib/settings/package-files.ts';

/** Selects the service that `dev` runs in this folder. */
export const LOCAL = 'local';

/** The command that starts this service: where the package is installed, or in its own repository. */
export const DEV = isBuilt ? 'npx gpu-endpoints dev' : 'npm start';
