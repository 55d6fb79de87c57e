#!/usr/bin/env node
/** `npx gpu-endpoints`: runs the command in its arguments. */
import { addShellCompletion } from './completion.ts';
import { createProgram } from './program.ts';

const program = createProgram();
addShellCompletion(program);

await program.parseAsync().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
