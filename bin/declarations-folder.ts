/** The folder with `endpoints/`, `capacity/`, `templates/` and `environments/`. */
import { resolve } from 'node:path';
import { repository } from '../lib/settings/declared-files.ts';

/** Returns the folder that the variable `DECLARATIONS` names, which is this repository by default. */
export const declarationsFolder = (): string => resolve(process.env.DECLARATIONS ?? repository);
