import { dirname, join } from 'node:path';

/**
 * Folder of the compile cache of the repository's programs, which all state directories share. Node.js compares the
 * source of a module with that of its entry. A changed module replaces its entry, so the folder does not grow with
 * every change. The bundles of functions have their own cache in the state directory: their paths contain their hash,
 * so every change adds an entry.
 */
export const PROGRAM_CACHE = join(dirname(dirname(import.meta.dirname)), 'node_modules/.cache/compile');
