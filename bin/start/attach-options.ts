import { isAbsolute, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { AttachedCommand } from '../../packages/emulator/attached-commands/session.ts';
import { LocalError } from '../../packages/emulator/local-error.ts';

export const HELP = `Usage: npm run worker -- --endpoint ID -- COMMAND [ARGUMENT ...]

Runs a command as a worker of an endpoint of \`npm start\`, which runs in another terminal. The command starts in
your folder with the variables of a worker's container, and gets the jobs of the endpoint through the agent,
as on ECS. No image is needed. While the command runs, \`npm start\` runs no other workers of the
endpoint.

Ctrl-C sends SIGTERM to the command, as ECS does, and jobs that it does not finish are queued again. A second
Ctrl-C kills the command immediately. If the command exits by itself, this program exits with the same code.

  --endpoint ID      endpoint whose jobs the command takes
  --help             print this help

Environment:
  LOCAL_STATE_DIR    where \`npm start\` stores its data     (default: .local)

Examples:
  npm run worker -- --endpoint echo -- python3 handler.py
  npm run worker -- --endpoint echo-http -- ./server
`;

const USAGE = 'npm run worker -- --endpoint ID -- COMMAND';

export interface Options extends AttachedCommand {
  readonly help: boolean;
  /** Absolute path of the state directory. */
  readonly stateDir: string;
}

function flags(args: readonly string[]) {
  try {
    const options = { endpoint: { type: 'string' }, help: { type: 'boolean', default: false } } as const;
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    const [sentence] = (error as Error).message.split('. ');
    throw new LocalError(`${sentence}; npm run worker -- --help lists the options.`, { cause: error });
  }
}

/**
 * Reads the options.
 * @throws LocalError for invalid arguments
 */
export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv, cwd: string): Options {
  const end = args.indexOf('--');
  const [program, ...rest] = end < 0 ? [] : args.slice(end + 1);
  const { values, positionals } = flags(end < 0 ? args : args.slice(0, end));
  const [stray] = positionals;
  if (!values.help && stray !== undefined)
    throw new LocalError(`The command must follow \`--\`, as in \`${USAGE}\`; got ${JSON.stringify(stray)} before it.`);
  if (!values.help && !program) throw new LocalError(`The command is missing: give one, as in \`${USAGE}\`.`);
  return {
    help: values.help,
    command: [program ?? '', ...rest],
    // npm changes to the root of the repository; this variable contains the folder in which npm was called.
    folder: env.INIT_CWD && isAbsolute(env.INIT_CWD) ? env.INIT_CWD : cwd,
    stateDir: resolve(cwd, env.LOCAL_STATE_DIR || '.local'),
    ...(values.endpoint !== undefined && { service: values.endpoint }),
  };
}
