/** What is called when no job comes: one minute of an idle service with one worker, from one sweep to the next. */
import type { Call } from './call-log.ts';
import { actorOf, kindOf } from './classify.ts';
import type { Drive } from './drive.ts';
import { type Line, linesOf } from './figures.ts';
import { counted, done } from './steps.ts';

const SWEEP_LIMIT = 90_000;
const isSweep = (call: Call) => actorOf(call) === 'sweeper' && call.operation === 'Scan';
const nobody = { jobs: new Set<string>(), messages: new Set<string>(), received: new Map<string, string>() };

/** @returns the calls of a minute */
export async function measureStanding(drive: Drive): Promise<Line[]> {
  drive.mark();
  // It starts the worker, which is still there at the second sweep from now.
  await drive.submit({ operation: 'run', input: {} });
  await done(3)(drive);
  await counted(drive);
  drive.mark();
  const sweeps = () => drive.calls().flatMap((call, position) => (isSweep(call) ? [position] : []));
  await drive.until('the service is swept twice', () => sweeps().length >= 2, 2 * SWEEP_LIMIT);
  const [first, second] = sweeps();
  const calls = drive.calls().slice(first, second);
  return linesOf(
    calls.filter((call) => kindOf(call, nobody) === 'standing'),
    'standing',
  );
}
