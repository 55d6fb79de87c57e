/** Writes junk at a steady rate, with the role of a worker. */
import { setTimeout as delay } from 'node:timers/promises';
import { jobId } from '../../../core/jobs/id.ts';
import { junkEnding, junkJobs, junkLeases } from '../../support/junk.ts';
import { type HostileWorker, type Junk, write } from './worker.ts';

export interface Flood {
  /** Number of items written so far. */
  written(): number;
  /**
   * Stops the flood.
   * @throws if a write has failed
   */
  stop(): Promise<void>;
}

/** Milliseconds between two calls, each with a few items. The emulator handles no other call during a write. */
const PERIOD = 25;
/** Number of items in one cycle: one lease, one chunk, one job before and after it ends, and other junk jobs. */
const CYCLE = 20;

const newId = () => jobId('run', Date.now(), crypto.getRandomValues(new Uint8Array(32)));

/** Generates junk items, one item of one table at a time. */
function* junkOf(endpoint: string): Generator<Junk> {
  const kinds = Object.values(junkJobs);
  const leases = Object.values(junkLeases);
  for (let cycle = 0; ; cycle += 1) {
    const [before, after] = junkEnding(endpoint, newId());
    for (let place = 0; place < CYCLE; place += 1) {
      const kind = kinds[(cycle + place) % kinds.length];
      const chunk = { partition: `${endpoint}#${cycle % 4}`, item: `${newId()}#chunk#1#0000000000` };
      if (place === 0) yield { jobs: [before] };
      else if (place === CYCLE / 2) yield { jobs: [after] };
      else if (place === 1) yield { leases: leases.slice(0, 1).map((itemOf) => itemOf(endpoint, `junk-${cycle}`)) };
      else if (place === 2) yield { payloads: [chunk] };
      else if (kind) yield { jobs: [kind(endpoint, newId())] };
    }
  }
}

/**
 * Starts to write.
 * @param rate items per second
 */
export function startFlood(worker: HostileWorker, endpoint: string, rate: number): Flood {
  const size = (rate * PERIOD) / 1000;
  const junk = junkOf(endpoint);
  let [written, isOver] = [0, false];

  async function run(): Promise<void> {
    const from = performance.now();
    for (let turn = 1; !isOver; turn += 1) {
      const some = Array.from({ length: size }, () => junk.next().value as Junk);
      const [jobs, leases, payloads] = (['jobs', 'leases', 'payloads'] as const).map((table) =>
        some.flatMap((one) => one[table] ?? []),
      );
      await write(worker, { jobs, leases, payloads } as Junk);
      written += size;
      await delay(Math.max(0, from + turn * PERIOD - performance.now()));
    }
  }

  const ended = run();
  ended.catch(() => undefined);
  return {
    written: () => written,
    async stop() {
      isOver = true;
      await ended;
    },
  };
}
