/** `gpu-endpoints mcp`: lets assistants read a deployment, and run its jobs if the user allows it. */
import { type Command, Option } from 'commander';
import { serviceOf, withProfile } from '../client/options.ts';

interface McpOptions {
  readonly env?: string;
  readonly allow?: 'write';
}

export function addMcp(program: Command, version: string): void {
  withProfile(
    program
      .command('mcp')
      .description('serve a deployment to assistants by the Model Context Protocol, on standard input and output'),
  )
    .addOption(
      new Option('--allow <what>', 'also let assistants run, cancel and retry jobs; otherwise they only read').choices([
        'write',
      ]),
    )
    .addHelpText(
      'after',
      `
Example, in the settings of an assistant:
  {"mcpServers": {"gpu": {"command": "npx", "args": ["gpu-endpoints", "mcp", "--env", "prod"]}}}

For the service of \`dev\`, the assistant must start the command in the folder in which \`dev\` runs:
  {"mcpServers": {"gpu": {"command": "npx", "args": ["gpu-endpoints", "mcp", "--env", "local"], "cwd": "/path/of/folder"}}}`,
    )
    .action(async ({ env, allow }: McpOptions) => {
      const service = serviceOf(env === undefined ? {} : { env });
      if (process.stdin.isTTY) console.error('Waits for an assistant on the standard input. To stop it, press Ctrl-C.');
      const { serve } = await import('./serve.ts');
      await serve(service, { version, mayWrite: allow === 'write' });
    });
}
