/** The folder with `endpoints/`, `capacity/`, `templates/` and `environments/`. */
import { dirname, resolve } from 'node:path';

/** Returns the folder that the variable `DECLARATIONS` names, which is this repository by default. */
export const declarationsFolder = (): string =>
  resolve(process.env.DECLARATIONS ?? dirname(dirname(import.meta.dirname)));
