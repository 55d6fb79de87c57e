/** Serves the tools on the standard input and output, as assistants start servers of the Model Context Protocol. */
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { CallFailed } from '../client/call.ts';
import type { Service } from '../client/service.ts';
import { type Tool, tools } from './tools.ts';

interface Result {
  // The protocol adds members.
  [name: string]: unknown;
  content: { type: 'text'; text: string }[];
  isError?: true;
}

const text = (content: string): Result => ({ content: [{ type: 'text', text: content }] });

/** Runs a tool. The assistant gets the service's refusal as a result, because it can correct its arguments. */
async function answer(service: Service, { run }: Tool, given: unknown): Promise<Result> {
  try {
    return text(JSON.stringify(await run(service, given as never)));
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    return { ...text(error.message), isError: true };
  }
}

export interface ServeOptions {
  readonly version: string;
  /** Whether the assistant may run, cancel and retry jobs. */
  readonly mayWrite: boolean;
}

/** Serves until the standard input ends. */
export async function serve(service: Service, { version, mayWrite }: ServeOptions): Promise<void> {
  const server = new McpServer({ name: 'gpu-endpoints', version });
  for (const tool of tools.filter(({ writes }) => mayWrite || !writes))
    server.registerTool(
      tool.name,
      {
        description: tool.description,
        inputSchema: tool.arguments,
        annotations: { readOnlyHint: !tool.writes },
      },
      (given: unknown) => answer(service, tool, given),
    );
  await server.connect(new StdioServerTransport());
}
