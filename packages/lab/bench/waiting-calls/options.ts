import { numberFrom, readFlags } from '../command.ts';

export const HELP = `Usage: npm run bench -w packages/lab -- waits [options]

Starts the service as \`npm start\` does, keeps its workers busy, and lets clients wait for jobs that no worker
takes: with \`/runsync\` and \`/status-sync\`, distributed over the endpoints. Prints the memory and the processor
time of the ingress, how long \`/run\` takes with and without the waiting clients, and how soon after the end of its
job a waiting client gets its response. Fails if a client is refused, if the 95th percentile of \`/run\` is more
than twice as long with waiting clients, or if the median time to a response is more than 60 ms.

  --waits N     number of clients that wait at the same time (default: 2000)
  --seconds N   how long each client waits (default: 60)
  --help        print this help
`;

export interface Options {
  readonly help: boolean;
  readonly waits: number;
  readonly seconds: number;
}

const flags = {
  waits: { type: 'string', default: '2000' },
  seconds: { type: 'string', default: '60' },
  help: { type: 'boolean', default: false },
} as const;

/** @throws Error for an unknown flag, or a number out of its range */
export function readOptions(args: readonly string[]): Options {
  const { help, waits, seconds } = readFlags('bench -w packages/lab -- waits', flags, args);
  return { help, waits: numberFrom('waits', waits, 2_400), seconds: numberFrom('seconds', seconds, 300) };
}
