/** Compares what endpoints and API keys have spent today with their budgets, once a minute. */
import { createHash } from 'node:crypto';
import { type EndpointErrors, forEachEndpoint } from '../endpoints/each.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import {
  type BudgetLevel,
  dayOf,
  inDollars,
  levelOf,
  resetAfter,
  type Spending,
  spendingToday,
} from '../endpoints/spending.ts';
import { type ScalePorts, scale } from '../fleet/scale.ts';
import type { EndpointEvent } from '../history/event.ts';
import { idOf, type KeyRecord, type Keys } from '../keys/client-keys.ts';
import { isoTime } from '../requests/time.ts';
import { QUIET_EVERY, SUMMED_AT_ONCE } from './limits.ts';
import { spentToday } from './spent.ts';
import type { SumPorts } from './sum.ts';
import { roundedDollars } from './sums.ts';
import { isQuiet } from './sweep.ts';

export type BudgetPorts = SumPorts & {
  readonly keys: Pick<Keys, 'list'>;
} & ScalePorts;

/** A key with a budget. */
interface BudgetedKey {
  readonly id: string;
  readonly name: string;
  readonly max: number;
  readonly endpoints: readonly string[];
}

/** What is spent on an endpoint, without rounding. */
type Amounts = Pick<Spending, 'dollars' | 'keys'>;

const mayUse = ({ endpoints }: BudgetedKey, id: string) => endpoints.includes('*') || endpoints.includes(id);

const budgetedKeys = (records: readonly KeyRecord[], now: number): readonly BudgetedKey[] =>
  records.flatMap(({ maxDollarsPerDay: max, expiresAt = Number.POSITIVE_INFINITY, ...key }) =>
    max === undefined || expiresAt <= now ? [] : [{ id: idOf(key), name: key.name, max, endpoints: key.endpoints }],
  );

/** Names a set of keys in few characters. */
const basisOf = (keys: readonly BudgetedKey[]) =>
  createHash('sha256')
    .update(keys.map(({ id }) => id).join())
    .digest('hex')
    .slice(0, 8);

/** Returns whether the stored amounts are still right: the endpoint has done nothing for a while. */
function areFinal(endpoint: Endpoint, basis: string, now: number): boolean {
  const last = spendingToday(endpoint, now);
  return last !== undefined && last.basis === basis && isQuiet(endpoint) && now - last.at > QUIET_EVERY;
}

async function amountsOf(
  ports: BudgetPorts,
  endpoint: Endpoint,
  { keys, basis }: { readonly keys: readonly BudgetedKey[]; readonly basis: string },
): Promise<Amounts> {
  const last = spendingToday(endpoint, ports.clock.now());
  if (last && areFinal(endpoint, basis, ports.clock.now())) return last;
  const { dollars, payers } = await spentToday(ports, endpoint, await ports.workers.list(endpoint.id));
  const shares = keys.flatMap(({ id }) => {
    const share = roundedDollars(payers.get(id) ?? 0);
    return share > 0 ? [[id, share] as const] : [];
  });
  return { dollars: roundedDollars(dollars), ...(shares.length > 0 && { keys: Object.fromEntries(shares) }) };
}

/** A budget of an endpoint, or of a key that has spent some of it on the endpoint. */
interface Subject {
  /** `endpoint`, or the id of the key. */
  readonly name: string;
  readonly dollars: number;
  readonly max: number;
  readonly key?: BudgetedKey | undefined;
}

function eventOf(endpoint: string, subject: Subject, levels: Record<'from' | 'to', BudgetLevel>, at: number) {
  const { dollars, max, key } = subject;
  const who = key === undefined ? 'The endpoint' : `The API key ${key.name}`;
  const detail = `${who} has spent ${inDollars(dollars)} of ${inDollars(max)} today (UTC). The next day begins at ${isoTime(resetAfter(at))}.`;
  return { endpoint, kind: 'BUDGET' as const, at, ...levels, detail, ...(key && { key: key.id }) };
}

/**
 * Returns what to store of the endpoint, and the events of the budgets whose level has changed.
 * @param totals what each key has spent on all endpoints
 */
function outcomeOf(
  endpoint: Endpoint,
  amounts: Amounts,
  { keys, basis, totals }: { keys: readonly BudgetedKey[]; basis: string; totals: ReadonlyMap<string, number> },
  now: number,
): { readonly spending: Spending; readonly events: readonly EndpointEvent[] } {
  const { id, maxDollarsPerDay: max } = endpoint;
  const own = max === undefined ? [] : [{ name: 'endpoint', dollars: amounts.dollars, max }];
  const ofKeys = keys
    .filter((key) => amounts.keys?.[key.id] !== undefined)
    .map((key) => ({ name: key.id, dollars: totals.get(key.id) ?? 0, max: key.max, key }));
  const before = spendingToday(endpoint, now)?.reported ?? {};
  const levels = [...own, ...ofKeys].map((subject) => ({ subject, to: levelOf(subject.dollars, subject.max) }));
  const events = levels.flatMap(({ subject, to }) => {
    const from = before[subject.name] ?? 'WITHIN';
    return from === to ? [] : [eventOf(id, subject, { from, to }, now)];
  });
  const reported = levels.flatMap(({ subject: { name }, to }) => (to === 'WITHIN' ? [] : [[name, to] as const]));
  const spentKeys = keys.filter((key) => mayUse(key, id) && (totals.get(key.id) ?? 0) >= key.max).map((key) => key.id);
  const { dollars, keys: shares } = amounts;
  return {
    events,
    spending: {
      ...{ day: dayOf(now), at: now, dollars, basis },
      ...(shares && { keys: shares }),
      ...(spentKeys.length > 0 && { spentKeys }),
      ...(reported.length > 0 && { reported: Object.fromEntries(reported) }),
    },
  };
}

/** Returns whether the sums differ in more than their time. */
const differ = (one: Spending | undefined, other: Spending) =>
  JSON.stringify(one && spendingIn(one)) !== JSON.stringify(spendingIn(other));

/** Members in a fixed order, without the time of the sum. */
const spendingIn = ({ day, dollars, keys = {}, spentKeys = [], reported = {}, basis }: Spending) => [
  ...[day, dollars, basis, spentKeys],
  ...[keys, reported].map((values) => Object.entries(values).sort()),
];

/**
 * Stores what endpoints with a budget, and endpoints that keys with a budget may call, have spent today. Functions and
 * agents read it with the endpoint. An endpoint that fails keeps its last sum.
 *
 * Input: the endpoints, as listed at the beginning of the sweep. Output: errors by endpoint.
 *  1. Sum the endpoints, each until now. Add up what each key has spent on all of them.
 *  2. Record an event for each budget of which 80 % or all is spent, or no longer is.
 *  3. Store the sum and the keys that have spent their budgets. If the process stops before, the next sweep repeats the
 *     event. Give up requested workers of an endpoint that has just spent its budget: ECS would still start them.
 */
export async function checkBudgets(ports: BudgetPorts, endpoints: readonly Endpoint[]): Promise<EndpointErrors> {
  if (!ports.usageSums.isKept) return new Map();
  const keys = budgetedKeys(await ports.keys.list(), ports.clock.now());
  const basis = basisOf(keys);
  const concerned = endpoints.filter(
    (endpoint) =>
      endpoint.maxDollarsPerDay !== undefined ||
      keys.some((key) => mayUse(key, endpoint.id)) ||
      (spendingToday(endpoint, ports.clock.now())?.spentKeys ?? []).length > 0,
  );
  const summed = new Map<string, Amounts>();
  const unsummed = await forEachEndpoint(concerned, SUMMED_AT_ONCE, async (endpoint) => {
    summed.set(endpoint.id, await amountsOf(ports, endpoint, { keys, basis }));
  });
  const totals = new Map<string, number>();
  for (const endpoint of concerned) {
    const { keys: shares = {} } = summed.get(endpoint.id) ?? spendingToday(endpoint, ports.clock.now()) ?? {};
    for (const [key, dollars] of Object.entries(shares)) totals.set(key, (totals.get(key) ?? 0) + dollars);
  }
  const unsaved = await forEachEndpoint(concerned, SUMMED_AT_ONCE, async (endpoint) => {
    const amounts = summed.get(endpoint.id);
    if (!amounts) return;
    const now = ports.clock.now();
    const { spending, events } = outcomeOf(endpoint, amounts, { keys, basis, totals }, now);
    for (const event of events) await ports.eventHistory.add(event);
    if (differ(spendingToday(endpoint, now), spending)) await ports.endpoints.saveSpending(endpoint.id, spending);
    if (events.some(({ key, to }) => key === undefined && to === 'SPENT')) await scale(ports, endpoint.id, 'both');
  });
  return new Map([...unsummed, ...unsaved]);
}
