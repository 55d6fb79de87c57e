/**
 * Draws the fault of each call per call site, so that the calls of one site do not change the draws of another
 * site.
 */
import { createHash } from 'node:crypto';
import type { Call } from './call.ts';
import type { Described } from './described.ts';
import { type FaultKind, type FaultPlan, faultKinds } from './fault-plan.ts';

export interface Draw {
  /** Number of the call at its site, from 1. */
  readonly n: number;
  /** The kind of the fault; undefined for a call without a fault. */
  readonly kind: FaultKind | undefined;
  /** Whether a crashed call is executed before the crash. */
  readonly executed: boolean;
  /** Milliseconds of a delay. */
  readonly milliseconds: number;
}

const DELAY = { min: 50, max: 500 };

/**
 * Returns the kind of a resource, without the parts that differ between calls: for example a table, a queue, a
 * bucket, or the tasks of a cluster.
 */
function kindOf(resource: string): string {
  const [, , service, , , ...rest] = resource.split(':');
  const parts = rest.join(':').split('/');
  return parts.slice(0, service === 's3' ? 1 : 2).join('/');
}

/** Returns the site of a call: role, action, kind of resource. */
export function siteOf({ caller, findings }: Pick<Call, 'caller' | 'findings'>, { accesses }: Described): string {
  return `${caller.role} ${caller.service}:${findings.operation} ${kindOf(accesses[0]?.resource ?? '')}`;
}

/** Creates a mulberry32 generator of numbers from 0 to less than 1. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function kindAt(drawn: number, rates: FaultPlan['rates']): FaultKind | undefined {
  let sum = 0;
  return faultKinds.find((kind) => {
    sum += rates[kind];
    return drawn < sum;
  });
}

export function createDraws({ seed, rates, only = '' }: FaultPlan): (site: string) => Draw {
  const sites = new Map<string, { readonly next: () => number; n: number }>();
  return (site) => {
    const known = sites.get(site) ?? {
      next: generator(createHash('sha256').update(`${seed} ${site}`).digest().readUInt32LE()),
      n: 0,
    };
    sites.set(site, known);
    known.n += 1;
    // Every call draws the same number of random values, with or without a fault.
    const [which, when, howLong] = [known.next(), known.next(), known.next()];
    return {
      n: known.n,
      kind: site.includes(only) ? kindAt(which, rates) : undefined,
      executed: when < 0.5,
      milliseconds: Math.round(DELAY.min + howLong * (DELAY.max - DELAY.min)),
    };
  };
}
