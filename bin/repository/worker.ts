/** Describes `gpu-endpoints worker`. */
import type { Command } from 'commander';
import { withExample } from '../example.ts';

interface WorkerFlags {
  readonly endpoint: string;
}

const NOTES = `Runs the command as a worker of an endpoint of \`dev\`, which runs in another terminal. The command starts in your
folder with the variables of a worker's container, and gets the jobs of the endpoint through the agent, as on ECS. No
image is needed. While the command runs, \`dev\` runs no other workers of the endpoint.

What the command prints is in this terminal, and not in \`gpu-endpoints logs\`.

Ctrl-C sends SIGTERM to the command, as ECS does, and jobs that it does not finish are queued again. A second Ctrl-C
kills the command immediately. If the command exits by itself, this program exits with the same code.

Environment:
  LOCAL_STATE_DIR    where \`dev\` stores its data     (default: .local)`;

export function addWorker(program: Command): void {
  const worker = program
    .command('worker')
    .description('run a command as a worker of an endpoint of `dev`')
    .usage('--endpoint <id> -- <command...>')
    .argument('<command...>', 'program and its arguments')
    .requiredOption('--endpoint <id>', 'endpoint whose jobs the command takes');
  withExample(worker, 'worker --endpoint echo -- python3 handler.py', NOTES).action(
    async (command: [string, ...string[]], { endpoint }: WorkerFlags) => {
      const { attach } = await import('../start/attach.ts');
      process.exit(await attach(endpoint, command));
    },
  );
}
