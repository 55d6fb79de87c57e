/** Measures one scenario: its calls, from a settled service until the ledger has counted what happened. */
import { type Call, messagesReceived, messagesSent } from './call-log.ts';
import { actorOf, isWatch, type Kind, kindOf, type Scope } from './classify.ts';
import { Disturbed, type Drive } from './drive.ts';
import { type Figures, type Line, linesOf, over, sumOf } from './figures.ts';
import type { Scenario } from './scenarios.ts';
import { apart } from './steps.ts';

export interface Measurement {
  /** Per job. */
  readonly own: Figures;
  readonly shared: Figures;
  /** HTTP requests, and invocations of the ledger, per job. */
  readonly requests: number;
  readonly ledgerInvocations: number;
  /** What the figures are made of; sums over all jobs of the scenario. */
  readonly lines: readonly Line[];
}

/** Whatever gets in the way; and how often a measurement is repeated to find what is usual. */
const TRIES = 6;
const REPETITIONS = 3;

interface Health {
  readonly inQueue: number;
  readonly inProgress: number;
}

/** The health record counts what the ledger has recorded. */
async function isSettled(drive: Drive): Promise<boolean> {
  const { json } = await drive.request('GET', 'health');
  const { inQueue, inProgress } = json.jobs as Health;
  return inQueue === 0 && inProgress === 0;
}

async function settle(drive: Drive): Promise<void> {
  for (const deadline = Date.now() + 30_000; !(await isSettled(drive)); await apart(drive))
    if (Date.now() > deadline) throw new Disturbed('The service does not settle.');
}

const scopeOf = (drive: Drive): Scope => ({
  jobs: new Set(drive.jobs),
  messages: new Set(messagesSent(drive.calls())),
  received: messagesReceived(drive.everyCall()),
});

/** An invocation writes each counter once: another write to the same one is of the next. */
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
  await settle(drive);
  await apart(drive);
  for (const step of scenario.before ?? []) await step(drive);
  drive.mark();
  for (const step of scenario.steps) await step(drive);

  const { jobs = 1 } = scenario;
  const calls = drive.calls();
  const { requests, ledgerClosed } = drive;
  const scope = scopeOf(drive);
  // A worker looks after a job by the clock, once it has run for a second, as it may on a busy machine; a scenario with
  // such a look is measured again, unless it cannot be.
  const isByClock = (call: Call) => scenario.once === true && isWatch(call);
  const counting = calls.filter(
    (call, n) => (n < (ledgerClosed ?? calls.length) || actorOf(call) !== 'ledger') && !isByClock(call),
  );
  const ofKind = (kind: Kind) =>
    linesOf(
      counting.filter((call) => kindOf(call, scope) === kind),
      kind,
    );
  // Not before: it makes calls of its own. Where others go on, it would say nothing.
  if (ledgerClosed === undefined && !(await isSettled(drive))) throw new Disturbed('The ledger came later than usual.');
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

/** The one in the middle. */
export function medianOf(measurements: readonly Measurement[]): Measurement {
  const middle = measurements.toSorted((a, b) => sizeOf(a) - sizeOf(b))[Math.floor(measurements.length / 2)];
  if (!middle) throw new Error('Nothing was measured.');
  return middle;
}

/** @param isEnough whether the first measurement will do; by default it never does */
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
