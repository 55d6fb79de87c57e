/** What an endpoint and the API keys with a budget have spent today, as the sweeper summed it. A day is one in UTC. */
import * as z from 'zod/mini';
import { DAY, SECOND } from '../limits.ts';

/** Bounds of `maxDollarsPerDay`, in US dollars. */
export const budgetLimits = { min: 0.01, max: 1_000_000 } as const;

const budgetMust = `must be a number of US dollars from ${budgetLimits.min} to ${budgetLimits.max}`;
export const budgetSchema = z
  .number(budgetMust)
  .check(z.gte(budgetLimits.min, budgetMust), z.lte(budgetLimits.max, budgetMust));

/** Percentage of a budget from which the service warns. */
export const WARNED_PERCENT = 80;

/** How much of a budget is spent: less than `WARNED_PERCENT`, less than all of it, or all of it. */
export const budgetLevels = ['WITHIN', 'WARNED', 'SPENT'] as const;
export type BudgetLevel = (typeof budgetLevels)[number];

export const spendingSchema = z.object({
  /** Begin of the day. On a later day, nothing is spent yet. */
  day: z.number(),
  /** Time of the sum. */
  at: z.number(),
  /** What the workers of the endpoint have cost since the begin of the day, in US dollars. */
  dollars: z.number(),
  /** The share of each key that has a budget and ran jobs on this endpoint, by its id. */
  keys: z.optional(z.record(z.string(), z.number())),
  /** Ids of the keys that may call this endpoint and have spent their budgets, on all endpoints together. */
  spentKeys: z.optional(z.array(z.string())),
  /** Levels whose events were recorded: that of the endpoint's budget under `endpoint`, and those of keys by id. */
  reported: z.optional(z.record(z.string(), z.enum(budgetLevels))),
  /** Names the keys that had a budget at the time of the sum. */
  basis: z.optional(z.string()),
});
export type Spending = z.infer<typeof spendingSchema>;

/** What a budget of an endpoint needs. */
export interface Budgeted {
  readonly maxDollarsPerDay?: number | undefined;
  readonly spending?: Spending | undefined;
}

/** Returns the begin of the day. */
export const dayOf = (now: number): number => now - (now % DAY);

/** Returns when all budgets begin again. */
export const resetAfter = (now: number): number => dayOf(now) + DAY;

/** Returns the seconds until all budgets begin again. */
export const secondsToReset = (now: number): number => Math.ceil((resetAfter(now) - now) / SECOND);

/** Returns the sum of today, or undefined if nothing was summed today. */
export const spendingToday = ({ spending }: Budgeted, now: number): Spending | undefined =>
  spending?.day === dayOf(now) ? spending : undefined;

export function levelOf(dollars: number, max: number): BudgetLevel {
  if (dollars >= max) return 'SPENT';
  return dollars * 100 >= max * WARNED_PERCENT ? 'WARNED' : 'WITHIN';
}

/** Returns whether the endpoint has spent its budget of today, so that it starts no workers and they take no jobs. */
export const isBudgetSpent = (endpoint: Budgeted, now: number): boolean =>
  endpoint.maxDollarsPerDay !== undefined && (spendingToday(endpoint, now)?.dollars ?? 0) >= endpoint.maxDollarsPerDay;

/** Returns whether the key has spent its budget of today, so that the endpoint accepts no job of it. */
export const isKeySpent = (endpoint: Budgeted, key: string | undefined, now: number): boolean =>
  key !== undefined && spendingToday(endpoint, now)?.spentKeys?.includes(key) === true;

/** Returns dollars as sentences show them. */
export const inDollars = (dollars: number): string => `$${dollars.toFixed(2)}`;
