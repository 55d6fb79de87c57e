/** The plan of faults in LOCAL_FAULTS: their kinds and rates. */
import { LocalError } from '../local-error.ts';

/**
 * The faults of a call.
 * - `throttle`: the service refuses the call with its own throttling error.
 * - `timeout`: the request is lost.
 * - `executed-timeout`: the request is executed, and the response is lost.
 * - `delay`: the request arrives late.
 * - `crash`: the caller crashes during the call.
 */
export const faultKinds = ['throttle', 'timeout', 'executed-timeout', 'delay', 'crash'] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface FaultPlan {
  /** Seed of the random draws. The same seed gives the n-th call of a site the same fault. */
  readonly seed: number;
  /** Share of the calls that each kind affects, from 0 to 1. */
  readonly rates: Readonly<Record<FaultKind, number>>;
  /**
   * Part of the names of the call sites with faults (`siteOf`).
   * @default - all sites
   */
  readonly only?: string;
}

const DEFAULT_SEED = 1;
const MAX_SEED = 2 ** 32 - 1;

const isKind = (name: string): name is FaultKind => faultKinds.some((kind) => kind === name);

const refuse = (sentence: string): never => {
  throw new LocalError(`LOCAL_FAULTS ${sentence}. Example: seed=42,each=0.01,crash=0`);
};

function seedFrom(text: string): number {
  const seed = Number(text);
  if (/^\d+$/.test(text) && seed <= MAX_SEED) return seed;
  return refuse(`has seed=${text}, which must be a whole number from 0 to ${MAX_SEED}`);
}

function rateFrom(name: string, text: string): number {
  const rate = Number(text);
  if (/^(\d+(?:\.\d*)?|\.\d+)$/.test(text) && rate <= 1) return rate;
  return refuse(`has ${name}=${text}, which must be a number from 0 to 1`);
}

/**
 * Parses a plan.
 * @param text names and values, such as `seed=42,each=0.01,crash=0`: `each` is the rate of the kinds without a
 *   rate, and `only` is part of the names of call sites, such as the name of a role
 * @throws LocalError for an invalid plan
 */
export function parseFaultPlan(text: string): FaultPlan {
  const named = new Map<string, string>();
  for (const part of text.split(',')) {
    const [name = '', ...rest] = part.split('=');
    if (name !== 'seed' && name !== 'each' && name !== 'only' && !isKind(name))
      refuse(`has ${name || 'an empty part'}; it can have seed, only, each and ${faultKinds.join(', ')}`);
    named.set(name, rest.join('='));
  }
  const each = rateFrom('each', named.get('each') ?? '0');
  const rateOf = (kind: FaultKind) => rateFrom(kind, named.get(kind) ?? String(each));
  const rates = Object.fromEntries(faultKinds.map((kind) => [kind, rateOf(kind)])) as FaultPlan['rates'];
  const sum = Object.values(rates).reduce((total, rate) => total + rate);
  if (sum === 0) refuse('has no rate above 0');
  if (sum > 1) refuse(`has rates with a sum of ${sum}, which must be at most 1`);
  const only = named.get('only');
  if (only === '') refuse('has only=, which must be part of a role, an action or a resource');
  return { seed: seedFrom(named.get('seed') ?? String(DEFAULT_SEED)), rates, ...(only !== undefined && { only }) };
}
