/** Measures the calls of an idle service with one worker, for one minute, from one sweep to the next. */

import type { Line } from '../../../../bin/job-calls/figures.ts';
import type { Call } from './call-log.ts';
import { actorOf, kindOf } from './classify.ts';
import type { Drive } from './drive.ts';
import { linesOf } from './lines.ts';
import { counted, done } from './steps.ts';

const SWEEP_LIMIT = 90_000;
const isSweep = (call: Call) => actorOf(call) === 'sweeper' && call.operation === 'Scan';
const noJobs = { jobs: new Set<string>(), messages: new Set<string>(), received: new Map<string, string>() };

async function runOneJob(drive: Drive): Promise<void> {
  drive.mark();
  await drive.submit({ operation: 'run', input: {} });
  await done(3)(drive);
  await counted(drive);
  drive.mark();
}

/**
 * Waits for `count` sweeps after the last mark.
 * @returns their indexes in the calls since the mark
 */
async function swept(drive: Drive, count: number): Promise<number[]> {
  const sweeps = () => drive.calls().flatMap((call, position) => (isSweep(call) ? [position] : []));
  await drive.until(`the service is swept ${count} times`, () => sweeps().length >= count, count * SWEEP_LIMIT);
  return sweeps();
}

/** @returns the calls of one minute */
export async function measureStanding(drive: Drive): Promise<Line[]> {
  // The first worker completes the first release. The next sweep stores the completion, which happens only once.
  await runOneJob(drive);
  await swept(drive, 1);
  // After this job, the worker keeps running for two more sweeps.
  await runOneJob(drive);
  const [first, second] = await swept(drive, 2);
  const calls = drive.calls().slice(first, second);
  return linesOf(
    calls.filter((call) => kindOf(call, noJobs) === 'standing'),
    'standing',
  );
}
