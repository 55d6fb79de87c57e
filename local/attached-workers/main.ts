/**
 * `npm run worker`: runs a command of this terminal as a worker of an endpoint of `npm start`.
 *
 *     npm run worker -- --help
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gpuEndpoints } from '../gpu-endpoints.ts';
import { LocalError } from '../local-error.ts';
import { OUTPUTS } from '../state/state-directory.ts';
import { HELP, readOptions } from './options.ts';
import { openSession, type Place } from './session.ts';

/**
 * Window in milliseconds in which two signals count as one Ctrl-C: the terminal signals npm and this process, and
 * npm forwards its signal.
 */
const ONE_INTERRUPT = 250;

const print = (text: string) => console.error(`[worker] ${text}`);

function placeIn(stateDir: string): Place | undefined {
  const file = join(stateDir, OUTPUTS);
  if (!existsSync(file)) return undefined;
  return (JSON.parse(readFileSync(file, 'utf8')) as Record<string, { Attach?: Place }>)[gpuEndpoints.mainStack]?.Attach;
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), process.env, process.cwd());
  if (options.help) {
    console.log(HELP);
    return 0;
  }
  const session = await openSession(options, placeIn(options.stateDir), print);
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
    console.error(error instanceof LocalError ? error.message : error);
    process.exitCode = 1;
  },
);
