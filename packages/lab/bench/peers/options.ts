import { numberFrom, readFlags } from '../command.ts';

export const peerNames = ['gpu-endpoints', 'aws-sample', 'bullmq', 'graphile-worker', 'runpod'] as const;
export type PeerName = (typeof peerNames)[number];

export const HELP = `Usage: npm run bench -w packages/lab -- peers [options]

Runs the same jobs on this service and on other ways to run them, on this machine, one after the other. Then kills each
part of each peer while jobs are in flight, and counts the jobs that are lost, doubled or stuck. Prints a table in
Markdown. Takes up to six minutes.

  --only NAMES   peers to run, separated by commas (default: all)
  --jobs N       number of measured jobs per peer (default: 300)
  --record       write the table to docs/explanation/alternatives.md
  --help         print this help

Peers: ${peerNames.join(', ')}.

At its first use, the command installs the packages of packages/lab/bench/peers/package.json into node_modules/.cache.
It needs Redis (or Valkey) and PostgreSQL for two of the peers: apt-get install --yes redis-server postgresql
`;

export interface Options {
  readonly help: boolean;
  readonly only: readonly PeerName[];
  readonly jobs: number;
  readonly record: boolean;
}

const flags = {
  only: { type: 'string', default: peerNames.join() },
  jobs: { type: 'string', default: '300' },
  record: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

function namesFrom(text: string): readonly PeerName[] {
  const names = text.split(',');
  const unknown = names.find((name) => !peerNames.some((one) => one === name));
  if (unknown !== undefined) throw new Error(`--only must name peers from ${peerNames.join(', ')}, got '${unknown}'.`);
  return peerNames.filter((name) => names.includes(name));
}

/** @throws Error for an unknown flag, an unknown peer, or a number out of its range */
export function readOptions(args: readonly string[]): Options {
  const { help, only, jobs, record } = readFlags('bench -w packages/lab -- peers', flags, args);
  const options = { help, only: namesFrom(only), jobs: numberFrom('jobs', jobs, 100_000), record };
  if (record && options.only.length < peerNames.length) throw new Error('--record needs all peers: omit --only.');
  return options;
}
