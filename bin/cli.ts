#!/usr/bin/env node
/** `npx gpu-endpoints`: runs the command in its arguments. */
import { addShellCompletion } from './completion.ts';
import { createProgram } from './program.ts';

// A reader such as `head` closes the pipe when it has enough, which is no error of the command.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

const program = createProgram();
addShellCompletion(program);

await program.parseAsync().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
