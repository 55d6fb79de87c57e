#!/usr/bin/env node
/** `npx gpu-endpoints`: runs the command in its arguments. */
import addCompletion from '@bomb.sh/tab/commander';
import { createProgram } from './program.ts';

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
