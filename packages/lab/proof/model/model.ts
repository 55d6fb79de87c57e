/** Runs random sequences, interleavings and faults against the real product, and checks each against the model. */
import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { createSchedule } from '../../../../test/support/schedule.ts';
import { createFaultPlan, type Fault } from '../calls/faults.ts';
import { checkAnswers } from './answers.ts';
import { faults as anyFaults, steps as anySteps } from './arbitraries.ts';
import type { Bench } from './bench.ts';
import { checkLegal } from './legal.ts';
import type { Step } from './operations.ts';
import { checkQuiescence, quiesce } from './quiescence.ts';
import { type Sequence, startSequence } from './sequence.ts';
import { checkStarts } from './starts.ts';
import { traceOf } from './trace.ts';

/** Number of visits by name. */
export type Counts = Map<string, number>;

export interface Figures {
  sequences: number;
  operations: number;
  writes: number;
  readonly rows: Counts;
  readonly sites: Counts;
  readonly faults: Counts;
  /** Number of faults by call site. */
  readonly struckAt: Counts;
  /** Digests of the orders in which the writes of a sequence were executed. */
  readonly orders: Set<string>;
}

export const createFigures = (): Figures => ({
  sequences: 0,
  operations: 0,
  writes: 0,
  rows: new Map(),
  sites: new Map(),
  faults: new Map(),
  struckAt: new Map(),
  orders: new Set(),
});

const count = (counts: Counts, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);

async function runSequence(
  bench: Bench,
  figures: Figures,
  steps: readonly Step[],
  scheduler: fc.Scheduler,
  faults: readonly Fault[],
): Promise<void> {
  const sequence = await startSequence(bench, createSchedule(scheduler), createFaultPlan(faults));
  try {
    for (const step of steps) await sequence.step(step);
    await quiesce(sequence);
    await judge(sequence, figures);
  } finally {
    await sequence.end();
  }
}

/** @throws an error with the operations, answers and writes if the product broke a promise */
async function judge(sequence: Sequence, figures: Figures): Promise<void> {
  const { history, log, jobs, faults: plan } = sequence;
  const legality = checkLegal(jobs, history, log);
  const troubled = new Set(plan.struck.map(({ operation }) => operation));
  const violations = [
    ...plan.missed,
    ...legality.violations,
    ...checkAnswers(history, log, troubled),
    ...checkStarts(jobs, history, log),
    ...(await checkQuiescence(sequence)),
  ];
  figures.sequences += 1;
  figures.operations += history.dones.length;
  figures.writes += log.length;
  for (const row of legality.rows) count(figures.rows, row);
  for (const site of plan.sites) count(figures.sites, site);
  for (const { kind, site } of plan.struck) {
    count(figures.faults, kind);
    count(figures.struckAt, site);
  }
  figures.orders.add(createHash('sha256').update(log.order.join('\n')).digest('hex'));
  if (violations.length > 0) throw new Error(`${violations.join('\n')}\n${traceOf(sequence)}`);
}

export interface ModelOptions {
  readonly seed: number;
  readonly sequences: number;
  /** Path to a simplified form of an earlier failure, from the failure's report. */
  readonly path?: string | undefined;
  /** Call sites at which faults can occur, and the maximum number of faults in one sequence. */
  readonly sites: readonly string[];
  readonly maxFaults: number;
  /** Whether a failure is simplified as far as possible. Otherwise, the first failure is reported unchanged. */
  readonly simplify?: boolean;
}

/** @throws fast-check's report of the simplest sequence that breaks a promise, with its seed and path */
export async function checkModel(bench: Bench, figures: Figures, options: ModelOptions): Promise<void> {
  const { seed, sequences, path, sites, maxFaults, simplify = true } = options;
  const property = fc.asyncProperty(anySteps, fc.scheduler(), anyFaults(sites, maxFaults), (steps, scheduler, faults) =>
    runSequence(bench, figures, steps, scheduler, faults),
  );
  await fc.assert(property, { seed, numRuns: sequences, path: path ?? '', endOnFailure: !simplify });
}
