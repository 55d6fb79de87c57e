/** Junk at a steady rate, with the role of a worker. */
import { setTimeout as delay } from 'node:timers/promises';
import { jobId } from '../../../core/jobs/id.ts';
import { type Item, junkEnding, junkJobs, junkLeases } from '../../junk.ts';
import { type HostileWorker, write } from './worker.ts';

export interface Flood {
  /** Items written so far. */
  written(): number;
  /** Stops the flood; fails if a write has failed. */
  stop(): Promise<void>;
}

/** Milliseconds between two calls. */
const PERIOD = 100;

const newId = () => jobId('run', Date.now(), crypto.getRandomValues(new Uint8Array(32)));

/** @param rate items a second: of each ten seven are jobs of all kinds, one a job that ends, one a lease, one a chunk */
export function startFlood(worker: HostileWorker, endpoint: string, rate: number): Flood {
  const kinds = Object.values(junkJobs);
  const leases = Object.values(junkLeases);
  let [count, isOver] = [0, false];

  /** Items of a tenth of a second: `turn` counts these. */
  function itemsOf(turn: number, ending: Item) {
    const size = (rate * PERIOD) / 1000;
    const jobs = Array.from(
      { length: size - 3 },
      (_, n) => kinds[(turn + n) % kinds.length]?.(endpoint, newId()) ?? {},
    );
    const lease = leases[turn % leases.length]?.(endpoint, `junk-${turn}`) ?? {};
    const chunk = { partition: `${endpoint}#${turn % 4}`, item: `${newId()}#chunk#1#0000000000` };
    return { jobs: [...jobs, ending], leases: [lease], payloads: [chunk] };
  }

  async function run(): Promise<void> {
    let ending: readonly Item[] = [];
    const from = performance.now();
    for (let turn = 0; !isOver; turn += 1) {
      if (ending.length === 0) ending = junkEnding(endpoint, newId());
      const [next = {}, ...later] = ending;
      ending = later;
      await write(worker, itemsOf(turn, next));
      count += (rate * PERIOD) / 1000;
      await delay(Math.max(0, from + (turn + 1) * PERIOD - performance.now()));
    }
  }

  const ended = run();
  ended.catch(() => undefined);
  return {
    written: () => count,
    async stop() {
      isOver = true;
      await ended;
    },
  };
}
