/** The walks that must keep all invariants, the walks that must break one, and their figures. */
import { limits, type Removal, removals } from './removals.ts';
import { type Bounds, setting } from './setting.ts';
import { explore, type Walk } from './walk.ts';

export interface NamedWalk extends Walk {
  readonly name: string;
}

export interface Found {
  /** Name of the missing precaution, the invariant that must break, and the invariant that broke. */
  readonly name: string;
  readonly breaks: string;
  readonly broke?: string | undefined;
  readonly trace: readonly string[];
  readonly states: number;
  readonly milliseconds: number;
}

export interface Proof {
  readonly walks: readonly NamedWalk[];
  readonly found: readonly Found[];
  /** Whether every walk kept all invariants, and each missing precaution broke its invariant. */
  readonly holds: boolean;
  /** Totals of all walks. */
  readonly states: number;
  readonly transitions: number;
  readonly evaluations: number;
  readonly rows: Readonly<Record<string, number>>;
  readonly milliseconds: number;
}

type Named = Readonly<Record<string, Partial<Bounds>>>;

const none = { faults: 0, cancels: 0, retries: 0, purges: 0, requeues: 0 } as const;

/** Walks that visit every state within seconds. */
export const quickWalks: Named = {
  'cancel and requeue, no fault': { ...none, cancels: 1, requeues: 1 },
  'purge of one worker, no fault': { ...none, workers: 1, purges: 1 },
  'retry of one worker, no fault': { ...none, workers: 1, retries: 1 },
  'any one fault of one worker': { ...none, workers: 1, faults: 1, requeues: 1 },
  'a result of one worker expires sooner, any one fault': { ...none, workers: 1, faults: 1, shortenings: 1 },
  'a result of one worker expires sooner, retry, no fault': { ...none, workers: 1, retries: 1, shortenings: 1 },
  'progress of one worker, any one fault': { ...none, workers: 1, faults: 1, progress: true },
};

/** Walks that visit every state within a minute or two. */
export const longWalks: Named = {
  'cancel, retry, purge and requeue of one worker, no fault': { faults: 0, workers: 1 },
  'a result expires sooner, retry of one worker, any one fault': {
    ...none,
    workers: 1,
    faults: 1,
    retries: 1,
    shortenings: 1,
  },
  'purge, no fault': { ...none, purges: 1 },
  'purge and requeue, no fault': { ...none, purges: 1, requeues: 1 },
  'retry, no fault': { ...none, retries: 1 },
  'any one fault': { ...none, faults: 1, requeues: 1 },
  'cancel with any one fault': { ...none, faults: 1, cancels: 1 },
};

/** Walks that take minutes. A walk that stops at its limit of states reports that. */
const widestWalks: Named = {
  'any two faults': { ...none, faults: 2, requeues: 1, states: 1_500_000 },
  'purge with any one fault': { ...none, faults: 1, purges: 1, requeues: 1, states: 1_500_000 },
  'retry with any one fault': { ...none, faults: 1, retries: 1, states: 1_500_000 },
  'cancel, retry, purge and requeue, no fault': { faults: 0, states: 1_500_000 },
  'two jobs, any one fault, a purge': { ...none, jobs: 2, faults: 1, purges: 1, states: 1_500_000 },
};

export const walk = (name: string, bounds: Partial<Bounds>): NamedWalk => ({ name, ...explore(setting({ bounds })) });

export function find({ name, breaks, setting }: Removal): Found {
  const { violation, states, milliseconds } = explore(setting);
  return { name, breaks, broke: violation?.invariant, trace: violation?.trace ?? [], states, milliseconds };
}

/**
 * Runs the walks.
 * @param size `quick` takes seconds; `full` takes about ten minutes
 */
export function proveByExploring(size: 'quick' | 'full'): Proof {
  const named = size === 'quick' ? quickWalks : { ...quickWalks, ...longWalks, ...widestWalks };
  const walks = Object.entries(named).map(([name, bounds]) => walk(name, bounds));
  const missing = [...removals, ...limits].filter(({ isFar }) => size === 'full' || !isFar);
  const found = missing.map(find);
  const sum = (of: (walked: Walk) => number) => walks.reduce((total, walked) => total + of(walked), 0);
  const rows: Record<string, number> = {};
  for (const { rows: counts } of walks)
    for (const [row, count] of Object.entries(counts)) rows[row] = (rows[row] ?? 0) + count;
  return {
    walks,
    found,
    holds: walks.every(({ violation }) => !violation) && found.every(({ breaks, broke }) => breaks === broke),
    states: sum(({ states }) => states),
    transitions: sum((walked) => walked.transitions),
    evaluations: sum(({ evaluations }) => evaluations),
    rows,
    milliseconds: sum(({ milliseconds }) => milliseconds) + found.reduce((total, each) => total + each.milliseconds, 0),
  };
}
