/**
 * The program of `npm start`. It turns on the compile cache before it loads any other module: compiling the modules
 * takes longer than the rest of a start.
 */
import { enableCompileCache } from 'node:module';
import { PROGRAM_CACHE } from './state/program-cache.ts';

// NODE_COMPILE_CACHE has turned on its own folder already, which this call does not change.
enableCompileCache(PROGRAM_CACHE);
await import('./command.ts');
