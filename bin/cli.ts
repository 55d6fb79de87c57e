#!/usr/bin/env node
/** `npx gpu-endpoints`: runs the command in its arguments. */
import addCompletion from '@bomb.sh/tab/commander';
import { createProgram } from './program.ts';

// A reader such as `head` closes the pipe when it has enough, which is no error of the command.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

const program = createProgram();
addCompletion(program);
program.commands
  .find((command) => command.name() === 'complete')
  ?.helpGroup('The shell:')
  .description('print a completion for bash, zsh, fish or powershell');

await program.parseAsync().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
