/** Measures peers one after the other, then kills their parts. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { report } from '../command.ts';
import { lossesOf, readExecutions } from './executions.ts';
import { type Kill, type KilledPart, killPart } from './kills.ts';
import { type Figures, measure, warmUp } from './load.ts';
import { EXECUTIONS, type Peer, type Running } from './peer.ts';
import type { Row } from './table.ts';

const running = new Set<Running>();

/** Stops all peers, for a signal that ends the command. */
export const stopPeers = () => Promise.allSettled([...running].map((peer) => peer.stop()));

export async function withPeer<Result>(
  peer: Peer,
  folder: string,
  use: (peer: Running) => Promise<Result>,
): Promise<Result> {
  const started = await peer.start(folder);
  running.add(started);
  try {
    return await use(started);
  } finally {
    running.delete(started);
    await started.stop();
  }
}

interface Draft extends Row {
  readonly peer: Peer;
  readonly folder: string;
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function figuresOf(peer: Peer, root: string, jobs: number): Promise<Draft> {
  const folder = join(root, peer.name);
  mkdirSync(folder, { recursive: true });
  const row = { peer, folder, title: peer.title, settings: [], kills: [] };
  const absent = peer.missing();
  if (absent !== undefined) {
    report(`${peer.name}: ${absent}`);
    return { ...row, absent };
  }
  report(`${peer.name}: ${jobs} jobs ...`);
  try {
    const figures: Figures = await withPeer(peer, folder, (started) => measure(started, jobs));
    return { ...row, settings: peer.settings, figures, dollars: peer.dollars?.(folder) };
  } catch (error) {
    report(`${peer.name} failed: ${messageOf(error)}`);
    return { ...row, absent: messageOf(error) };
  }
}

async function killsOf({ peer, folder, ...row }: Draft, parts: readonly string[] | undefined): Promise<Row> {
  const killed: KilledPart[] = [];
  // A message or lock that expires later can run a job again, so that doubled jobs are counted at the end.
  const kills = (): Kill[] => {
    const executions = readExecutions(join(folder, EXECUTIONS));
    return killed.map((kill) => ({ ...kill, doubled: lossesOf(kill.outcomes, executions).doubled }));
  };
  if (!row.figures) return row;
  try {
    await withPeer(peer, folder, async (started) => {
      await warmUp(started);
      for (const part of Object.keys(started.parts)) {
        if (parts && !parts.includes(part)) continue;
        const kill = await killPart(started, folder, part);
        const { lost, doubled, stuck, seconds } = kill;
        report(`${peer.name}: ${part} killed; ${lost} lost, ${doubled} doubled, ${stuck} stuck; ${seconds ?? '-'} s`);
        killed.push(kill);
      }
    });
    return { ...row, kills: kills() };
  } catch (error) {
    report(`${peer.name} failed: ${messageOf(error)}`);
    return { ...row, kills: kills(), absent: messageOf(error) };
  }
}

/**
 * Measures each peer while no other peer runs. The kills measure losses, not times, so that all peers run at the same
 * time for them: some wait a minute for a lock to expire.
 * @param root folder for the data of all peers
 * @param parts parts to kill; by default, `all`
 */
export async function comparePeers(
  peers: readonly Peer[],
  root: string,
  jobs: number,
  parts?: readonly string[],
): Promise<Row[]> {
  const drafts: Draft[] = [];
  for (const peer of peers) drafts.push(await figuresOf(peer, root, jobs));
  report('Killing the parts of all peers ...');
  return Promise.all(drafts.map((draft) => killsOf(draft, parts)));
}
