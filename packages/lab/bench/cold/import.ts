/** Imports a function in a new process, and measures the import. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Time of one import, in milliseconds. */
export interface Import {
  /** Time of all threads of the process, such as that of the compiler. */
  readonly processor: number;
  readonly duration: number;
}

/**
 * Imports the file like the runtime of Lambda: a CommonJS module, in a process that has loaded nothing else. Streaming
 * handlers find `awslambda` when they are imported.
 */
const SCRIPT = `
globalThis.awslambda = { streamifyResponse: (handler) => handler };
const used = process.cpuUsage(), begin = performance.now();
const { handler } = require(process.argv[1]);
const duration = performance.now() - begin, { user, system } = process.cpuUsage(used);
if (typeof handler !== 'function') throw new Error('The module exports no handler.');
process.stdout.write(JSON.stringify({ processor: (user + system) / 1000, duration }), () => process.exit());
`;

const run = promisify(execFile);

/**
 * Imports the file once.
 * @param variables the whole environment of the process
 * @throws Error with the output of the process if the import fails
 */
export async function importOnce(file: string, variables: Readonly<Record<string, string>>): Promise<Import> {
  const { stdout } = await run(process.execPath, ['--eval', SCRIPT, file], { env: { ...variables } });
  return JSON.parse(stdout) as Import;
}
