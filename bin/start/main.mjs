/**
 * The program of `npm start`. It turns on the compile cache before it loads any other module: compiling the modules
 * takes longer than the rest of a start. This file is not TypeScript, because no cache could contain it, and Node.js
 * would load its TypeScript compiler in every start.
 */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/**
 * Folder of the compile cache of the repository's programs, which all state directories share. Node.js compares the
 * source of a module with that of its entry. A changed module replaces its entry, so the folder does not grow with
 * every change. The bundles of functions have their own cache in the state directory: their paths contain their hash,
 * so every change adds an entry.
 */
const programCache = join(import.meta.dirname, '../../node_modules/.cache/compile');

// NODE_COMPILE_CACHE has turned on its own folder already, which this call does not change.
enableCompileCache(programCache);
const [{ runCommand }, { gpuEndpoints }] = await Promise.all([
  import('../../packages/emulator/command.ts'),
  import('./description.ts'),
]);
await runCommand(gpuEndpoints, programCache);
