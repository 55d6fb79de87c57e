import { dirname } from 'node:path';

/** The folder that holds this repository: assets are built from it, wherever the app is started. */
export const repository = dirname(import.meta.dirname);
