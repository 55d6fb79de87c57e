/** Measures the calls of one scenario on an idle service, until the ledger has counted all changes. */

import { type Kind, sumOf } from '../../../../bin/job-calls/figures.ts';
import type { Measurement } from '../../../../bin/job-calls/record.ts';
import { type Call, messagesReceived, messagesSent } from './call-log.ts';
import { actorOf, isWatch, kindOf, type Scope } from './classify.ts';
import { Disturbed, type Drive } from './drive.ts';
import { linesOf, over } from './lines.ts';
import type { Scenario } from './scenarios.ts';
import { apart } from './steps.ts';

/** Number of attempts of a disturbed measurement, and number of measurements from which the median is taken. */
const TRIES = 6;
const REPETITIONS = 3;

interface Health {
  readonly inQueue: number;
  readonly inProgress: number;
}

/** Returns whether the ledger's counters, which `/health` reads, count no waiting or running jobs. */
async function isIdle(drive: Drive): Promise<boolean> {
  const { json } = await drive.request('GET', 'health');
  const { inQueue, inProgress } = json.jobs as Health;
  return inQueue === 0 && inProgress === 0;
}

async function untilIdle(drive: Drive): Promise<void> {
  for (const deadline = Date.now() + 60_000; !(await isIdle(drive)); await apart(drive))
    if (Date.now() > deadline) throw new Disturbed('The service still has jobs after 60 s.');
}

const scopeOf = (drive: Drive): Scope => ({
  jobs: new Set(drive.jobs),
  messages: new Set(messagesSent(drive.calls())),
  received: messagesReceived(drive.everyCall()),
});

/**
 * Returns the number of invocations. An invocation writes each counter once, so a second write to the same counter
 * begins the next invocation.
 */
export function ledgerInvocations(calls: readonly Call[]): number {
  let invocations = 0;
  let counters = new Set<string>();
  for (const call of calls) {
    const counter = call.keys?.[0]?.sort ?? '';
    if (actorOf(call) !== 'ledger' || !counter.startsWith('counters#')) continue;
    if (invocations === 0 || counters.has(counter)) {
      invocations += 1;
      counters = new Set();
    }
    counters.add(counter);
  }
  return invocations;
}

async function measureOnce(drive: Drive, scenario: Scenario): Promise<Measurement> {
  await untilIdle(drive);
  await apart(drive);
  for (const step of scenario.before ?? []) await step(drive);
  drive.mark();
  for (const step of scenario.steps) await step(drive);

  const { jobs = 1 } = scenario;
  const { requests, ledgerClosed } = drive;
  // The last jobs that occupied the worker can end after the measured jobs. The calls of `/health` are not counted.
  if (scenario.concurrency !== undefined) await untilIdle(drive);
  const calls = drive.calls();
  const scope = scopeOf(drive);
  // A worker checks a job that has run for a second, which happens on a busy machine. These checks are not counted
  // if the scenario runs only once. Other scenarios can detect them and are then measured again (`unwatched`).
  const isByClock = (call: Call) => scenario.once === true && isWatch(call);
  const counting = calls.filter(
    (call, n) => (n < (ledgerClosed ?? calls.length) || actorOf(call) !== 'ledger') && !isByClock(call),
  );
  const ofKind = (kind: Kind) =>
    linesOf(
      counting.filter((call) => kindOf(call, scope) === kind),
      kind,
    );
  // `isIdle` makes AWS calls itself, so it runs after `calls` was read. `ledgerClosed` is set if another job still
  // runs, so the service cannot be idle.
  if (ledgerClosed === undefined && !(await isIdle(drive)))
    throw new Disturbed('The ledger has not counted all changes.');
  const [own, shared] = [ofKind('own'), ofKind('shared')];
  return {
    own: over(sumOf(own), jobs),
    shared: over(sumOf(shared), jobs),
    requests: requests / jobs,
    ledgerInvocations: ledgerInvocations(counting) / jobs,
    lines: [...own, ...shared],
  };
}

async function measureUndisturbed(drive: Drive, scenario: Scenario): Promise<Measurement> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await measureOnce(drive, scenario);
    } catch (error) {
      if (!(error instanceof Disturbed) || tries === TRIES || scenario.once) throw error;
    }
  }
}

const sizeOf = ({ own, shared }: Measurement) => own.calls + shared.calls + (own.wru + shared.wru) / 1_000;

/** Returns the median of the measurements. */
export function medianOf(measurements: readonly Measurement[]): Measurement {
  const middle = measurements.toSorted((a, b) => sizeOf(a) - sizeOf(b))[Math.floor(measurements.length / 2)];
  if (!middle) throw new Error('Nothing was measured.');
  return middle;
}

/** @param isEnough returns whether the first measurement is sufficient; always false by default */
export async function measure(
  drive: Drive,
  scenario: Scenario,
  isEnough: (first: Measurement) => boolean = () => false,
): Promise<Measurement> {
  const measurements = [await measureUndisturbed(drive, scenario)];
  const repetitions = scenario.once || (measurements[0] && isEnough(measurements[0])) ? 1 : REPETITIONS;
  while (measurements.length < repetitions) measurements.push(await measureUndisturbed(drive, scenario));
  return medianOf(measurements);
}
