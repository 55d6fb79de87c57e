/** The end of a sequence: faults stop, all workers die, and a new worker runs all remaining jobs. */
import { isDeepStrictEqual } from 'node:util';
import { type Counters, type Counts, countsIn, plus, zeroCounters } from '../../../../core/endpoints/counts.ts';
import { ARRIVAL_SPAN } from '../../../../core/ledger/arrivals.ts';
import { countersOf } from '../../../../core/ledger/delta.ts';
import { LEASE } from '../../../../core/limits.ts';
import { acknowledged } from './history.ts';
import type { Sequence } from './sequence.ts';

/** Maximum number of rounds. It allows for three lost attempts, and for a hidden message between them. */
const ROUNDS = 10;

const lastOf = ({ log }: Sequence, id: string) => log.versionsOf(id).at(-1)?.job;
/** Returns whether the job has not ended. A purged job has ended even before a reader stores its final status. */
const isOpen = (sequence: Sequence, id: string) => {
  const job = lastOf(sequence, id);
  const isPurged = job?.status === 'IN_QUEUE' && job.generation < sequence.log.purges.length;
  return job !== undefined && !('finishedAt' in job) && !isPurged;
};

async function releaseAll(sequence: Sequence): Promise<void> {
  sequence.faults.end();
  do await sequence.step({ does: 'release' });
  while (sequence.schedule.heldCalls > 0);
}

/**
 * Takes a job and reports it.
 * @returns whether the worker got a job
 */
async function workOnce(sequence: Sequence): Promise<boolean> {
  const took = await sequence.perform({ does: 'take', worker: 0 });
  await sequence.perform({ does: 'report', worker: 0, size: 'small', fails: false });
  return took.job !== undefined;
}

async function recordAll(sequence: Sequence): Promise<void> {
  while (sequence.stream.pending.length > 0) await sequence.perform({ does: 'record', max: 100, again: 0 });
}

/** Runs the sweeper and a worker until all jobs have ended. */
export async function quiesce(sequence: Sequence): Promise<void> {
  await releaseAll(sequence);
  for (const worker of [0, 1]) await sequence.step({ does: 'kill', worker });
  for (let round = 0; round < ROUNDS; round += 1) {
    await sequence.step({ does: 'advance', milliseconds: LEASE + 1 });
    await sequence.perform({ does: 'sweep' });
    // Jobs of low priority wait while the ledger counts waiting normal jobs.
    await recordAll(sequence);
    while (await workOnce(sequence));
    // An idle worker would make the sweeper resend lost messages, but the protocol must not lose messages.
    await sequence.step({ does: 'kill', worker: 0 });
    if (!sequence.jobs.some((id) => isOpen(sequence, id))) break;
  }
  for (const id of acknowledged(sequence.history))
    await sequence.perform({ does: 'status', job: sequence.jobs.indexOf(id) });
  await recordAll(sequence);
}

async function countOf({ bench, cast }: Sequence): Promise<Counters> {
  let sum = zeroCounters;
  for await (const job of bench.emulated.ports.jobs.list(cast.endpoint.id)) sum = plus(sum, countersOf(job));
  return sum;
}

/** Checks that the number of waiting jobs by arrival time equals the counters. */
async function arrivalsOff({ bench, cast }: Sequence, counted: Counts, generation: number): Promise<string[]> {
  const { clock, ports } = bench.emulated;
  const present = { low: counted.lowInQueue, normal: counted.inQueue - counted.lowInQueue };
  const all = Object.entries(present).map(async ([priority, count]) => {
    const queue = { endpoint: cast.endpoint.id, generation, lowPriority: priority === 'low' };
    const arrived = await ports.arrivals.countBefore(queue, clock.now() + ARRIVAL_SPAN);
    return arrived === count ? [] : [`${count} jobs of ${priority} priority wait, but ${arrived} by arrival time`];
  });
  return (await Promise.all(all)).flat();
}

/** Checks the state after a sequence: no acknowledged job is lost or stuck, and the counters are right. */
export async function checkQuiescence(sequence: Sequence): Promise<string[]> {
  const { bench, cast, history } = sequence;
  const ids = acknowledged(history);
  const lost = ids.filter((id) => lastOf(sequence, id) === undefined).map((id) => `${id} was acknowledged and is lost`);
  const stuck = ids.filter((id) => isOpen(sequence, id)).map((id) => `${id} is stuck: ${lastOf(sequence, id)?.status}`);
  const endpoint = await bench.emulated.ports.endpoints.readNow(cast.endpoint.id);
  const counted = countsIn(await countOf(sequence), endpoint?.generation ?? 0);
  const drift = isDeepStrictEqual(endpoint?.counts, counted)
    ? []
    : [`The counters are ${JSON.stringify(endpoint?.counts)}, but the jobs amount to ${JSON.stringify(counted)}`];
  return [...lost, ...stuck, ...drift, ...(await arrivalsOff(sequence, counted, endpoint?.generation ?? 0))];
}
