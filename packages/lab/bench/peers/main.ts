/** `npm run bench -w packages/lab -- peers`: the same jobs on this service and on other ways to run them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { awsSample } from './aws-sample.ts';
import { bullmq } from './bullmq.ts';
import { comparePeers, stopPeers } from './compare.ts';
import { gpuEndpoints } from './gpu-endpoints.ts';
import { graphileWorker } from './graphile-worker.ts';
import { HELP, type PeerName, readOptions } from './options.ts';
import type { Peer } from './peer.ts';
import { runpod } from './runpod.ts';
import { killSupervised } from './supervised.ts';
import { peersPlace, render } from './table.ts';

const peers: Readonly<Record<PeerName, Peer>> = {
  'gpu-endpoints': gpuEndpoints,
  'aws-sample': awsSample,
  bullmq,
  'graphile-worker': graphileWorker,
  runpod,
};

async function abort(): Promise<never> {
  await stopPeers();
  process.exit(1);
}

export async function main(args: readonly string[]): Promise<void> {
  const { help, only, jobs, record } = readOptions(args);
  if (help) return void console.log(HELP);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void abort());
  const [load = 0] = loadavg();
  const root = mkdtempSync(join(tmpdir(), 'gpu-endpoints-peers-'));
  try {
    const rows = await comparePeers(
      only.map((name) => peers[name]),
      root,
      jobs,
    );
    const date = new Date().toISOString().slice(0, 10);
    const text = render(rows, { date, jobs, processors: availableParallelism(), load });
    console.log(text);
    if (record) peersPlace.write(text);
  } finally {
    killSupervised();
    rmSync(root, { recursive: true, force: true });
  }
}
