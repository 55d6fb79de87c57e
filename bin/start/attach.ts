/**
 * `npm run worker`: runs a command of this terminal as a worker of an endpoint of `npm start`.
 *
 *     npm run worker -- --help
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSession, type Place, type SessionTexts } from '../../packages/emulator/attached-commands/session.ts';
import { LocalError } from '../../packages/emulator/local-error.ts';
import { OUTPUTS } from '../../packages/emulator/state/state-directory.ts';
import { asCalled } from '../as-called.ts';
import { HELP, type Options, readOptions } from './attach-options.ts';
import { gpuEndpoints } from './description.ts';

/**
 * Window in milliseconds in which two signals count as one Ctrl-C: the terminal signals npm and this process, and
 * npm forwards its signal.
 */
const ONE_INTERRUPT = 250;

const print = (text: string) => console.error(`[worker] ${text}`);

function placeIn(stateDir: string): Place | undefined {
  const file = join(stateDir, OUTPUTS);
  if (!existsSync(file)) return undefined;
  return (JSON.parse(readFileSync(file, 'utf8')) as Record<string, { Attach?: Place }>)[gpuEndpoints.mainStack ?? '']
    ?.Attach;
}

const alternatives = (ids: readonly string[]) =>
  ids.length < 2 ? (ids[0] ?? 'the id of an endpoint') : `${ids.slice(0, -1).join(', ')} or ${ids.at(-1)}`;

const textsOf = ({ service, command }: Options): SessionTexts => ({
  unknownService: (endpoints) =>
    `--endpoint takes ${alternatives(endpoints)}, got ${service === undefined ? 'nothing' : JSON.stringify(service)}.`,
  started({ id, sidecarLog, environment }) {
    const port = 'PORT' in environment ? ` Its server must listen on PORT ${environment.PORT}.` : '';
    return [
      `${command.join(' ')} is worker ${id} of ${environment.ENDPOINT_ID}.${port}`,
      `The agent's log is ${sidecarLog}. Ctrl-C sends SIGTERM to the command, and a second Ctrl-C kills it.`,
    ];
  },
  killed: 'The command was killed. Its jobs are queued again.',
});

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), process.env, process.cwd());
  if (options.help) {
    console.log(asCalled(HELP));
    return 0;
  }
  const session = await openSession(options, placeIn(options.stateDir), textsOf(options), print);
  let last = Number.NEGATIVE_INFINITY;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      const now = performance.now();
      if (now - last > ONE_INTERRUPT) session.interrupt();
      last = now;
    });
  return session.over;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof LocalError ? asCalled(error.message) : error);
    process.exitCode = 1;
  },
);
