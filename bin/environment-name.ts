/** The names that `--env` takes: `local`, an environment of the repository, or a profile. */
import { join } from 'node:path';

/** Selects the service that `npx gpu-endpoints dev` runs in this folder. */
export const LOCAL = 'local';

/** Returns the path of the outputs file of `npx gpu-endpoints dev`. */
export const localOutputs = (): string => join(process.env.LOCAL_STATE_DIR || '.local', 'outputs.json');
