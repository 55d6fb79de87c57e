/** Kills a part of a peer while jobs are submitted and run, and counts what the peer has lost. */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Losses, lossesOf, readExecutions } from './executions.ts';
import { withClients } from './load.ts';
import { EXECUTIONS, type Outcome, type Running } from './peer.ts';

/** Number of jobs that a peer acknowledges for each kill, and how long each takes, in milliseconds. */
export const KILL_JOBS = 30;
const JOB_MS = 300;
/** A job is stuck if it has not ended this many milliseconds after the kill. */
export const STUCK_AFTER = 75_000;
const RETRY = 100;
/** Pause of a client between two submissions, so that the kill happens between submissions too. */
const PACE = 100;

export interface Kill extends Losses {
  readonly part: string;
  /** Number of submissions that failed at least once, and were sent again as another job. */
  readonly resubmitted: number;
  /** Seconds from the kill until all jobs had ended; undefined if a job is stuck. */
  readonly seconds?: number;
}

export interface KilledPart extends Kill {
  /** The last outcome of each acknowledged job, by its id. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
}

async function submitUntilAcknowledged(peer: Running, deadline: number): Promise<[id: string, failures: number]> {
  for (let failures = 0; ; failures += 1) {
    try {
      return [await peer.submit(JOB_MS), failures];
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await delay(RETRY);
    }
  }
}

const isOpen = (outcome: Outcome) => outcome === 'waiting' || outcome === 'unknown';

/**
 * Polls the jobs until all have ended or the time is over.
 * @returns when the last job was seen to have ended
 */
async function pollToEnd(peer: Running, outcomes: Map<string, Outcome>, deadline: number): Promise<number> {
  let ended = Date.now();
  while (Date.now() < deadline) {
    const open = [...outcomes].flatMap(([id, outcome]) => (isOpen(outcome) ? [id] : []));
    if (open.length === 0) break;
    await withClients(open.length, async (n) => {
      const id = open[n] ?? '';
      try {
        outcomes.set(id, await peer.outcome(id));
      } catch {
        // The peer starts again. The job keeps its outcome until the next poll.
      }
    });
    ended = Date.now();
    await delay(RETRY);
  }
  return ended;
}

/** @param folder folder of the peer */
export async function killPart(peer: Running, folder: string, part: string, jobs = KILL_JOBS): Promise<KilledPart> {
  const file = join(folder, EXECUTIONS);
  const before = readExecutions(file).length;
  const outcomes = new Map<string, Outcome>();
  let resubmitted = 0;
  let killed: Promise<number> | undefined;

  /** Resolves with the time of the kill, after the part has started again. */
  async function kill(): Promise<number> {
    while (readExecutions(file).length === before) await delay(10);
    const at = Date.now();
    await peer.parts[part]?.();
    return at;
  }

  const limit = Date.now() + STUCK_AFTER;
  await withClients(jobs, async () => {
    const [id, failures] = await submitUntilAcknowledged(peer, limit);
    outcomes.set(id, 'waiting');
    if (failures > 0) resubmitted += 1;
    // The other half is submitted during the kill.
    if (outcomes.size >= jobs / 2 && !killed) {
      killed = kill();
      // A failure is thrown below, when the submissions have ended.
      killed.catch(() => undefined);
    }
    await delay(PACE);
  });
  const at = (await killed) ?? Date.now();
  const ended = await pollToEnd(peer, outcomes, at + STUCK_AFTER);
  const losses = lossesOf(outcomes, readExecutions(file));
  return { part, resubmitted, outcomes, ...losses, ...(losses.stuck === 0 && { seconds: (ended - at) / 1_000 }) };
}
