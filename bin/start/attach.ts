/** `gpu-endpoints worker`: runs a command of this terminal as a worker of an endpoint of `dev`. */
import { isAbsolute } from 'node:path';
import { openSession, type Place, type SessionTexts } from '../../packages/emulator/attached-commands/session.ts';
import { DEV } from '../environment-name.ts';
import { localOutputs, readOutputs } from '../outputs-file.ts';

/**
 * Window in milliseconds in which two signals count as one Ctrl-C: the terminal signals npm and this process, and
 * npm forwards its signal.
 */
const ONE_INTERRUPT = 250;

const print = (text: string) => console.error(`[worker] ${text}`);

function placeOfService(): Place | undefined {
  const stacks = readOutputs<{ readonly Attach?: Place }>(localOutputs()) ?? {};
  return Object.values(stacks).find(({ Attach }) => Attach !== undefined)?.Attach;
}

const alternatives = (ids: readonly string[]) =>
  ids.length < 2 ? (ids[0] ?? 'the id of an endpoint') : `${ids.slice(0, -1).join(', ')} or ${ids.at(-1)}`;

/** Returns what the terminal says about the worker. */
export const textsOf = (endpoint: string, command: readonly string[]): SessionTexts => ({
  serviceCommand: DEV,
  unknownService: (endpoints) => `--endpoint takes ${alternatives(endpoints)}, got ${JSON.stringify(endpoint)}.`,
  started({ id, sidecarLog, environment }) {
    const port = 'PORT' in environment ? ` Its server must listen on PORT ${environment.PORT}.` : '';
    return [
      `${command.join(' ')} is worker ${id} of ${environment.ENDPOINT_ID}.${port}`,
      `The agent's log is ${sidecarLog}; what the command prints is only in this terminal. Ctrl-C sends SIGTERM to the command, and a second Ctrl-C kills it.`,
    ];
  },
  killed: 'The command was killed. Its jobs are queued again.',
});

/**
 * Runs the command until it ends.
 * @returns the exit code of the command
 * @throws LocalError if the service does not run, or has no such endpoint
 */
export async function attach(endpoint: string, command: readonly [string, ...string[]]): Promise<number> {
  const { INIT_CWD } = process.env;
  // npm can change to the root of the repository; the variable contains the folder in which npm was called.
  const folder = INIT_CWD && isAbsolute(INIT_CWD) ? INIT_CWD : process.cwd();
  const session = await openSession(
    { service: endpoint, command, folder },
    placeOfService(),
    textsOf(endpoint, command),
    print,
  );
  let last = Number.NEGATIVE_INFINITY;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      const now = performance.now();
      if (now - last > ONE_INTERRUPT) session.interrupt();
      last = now;
    });
  return session.over;
}
