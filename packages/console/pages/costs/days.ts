/** Groups the costs of endpoints by day, with the sums of each day and of each endpoint. */
import type { Cost } from '../../api/management-types.ts';
import { DAY } from '../../units.ts';

/** A day, an endpoint of a day, or the sum of all days, with the endpoints in it, the most expensive first. */
export interface CostRow extends Cost {
  readonly id: string;
  readonly endpoints: readonly CostRow[];
}

/** @returns days in UTC such as `2026-11-23`, today first */
export const lastDays = (days: number, now: number): string[] =>
  Array.from({ length: days }, (_, index) => new Date(now - index * DAY).toISOString().slice(0, 10));

function sumOf(costs: readonly Cost[]): Omit<Cost, 'endpoint' | 'day' | 'key'> {
  const sum = (of: (cost: Cost) => number) => costs.reduce((total, cost) => total + of(cost), 0);
  return {
    jobs: sum(({ jobs }) => jobs),
    workerTime: {
      busy: sum(({ workerTime }) => workerTime.busy),
      idle: sum(({ workerTime }) => workerTime.idle),
      starting: sum(({ workerTime }) => workerTime.starting),
    },
    dollars: {
      busy: sum(({ dollars }) => dollars.busy),
      idle: sum(({ dollars }) => dollars.idle),
      starting: sum(({ dollars }) => dollars.starting),
      total: sum(({ dollars }) => dollars.total),
    },
    unpricedTime: sum(({ unpricedTime }) => unpricedTime),
  };
}

function rowOf(id: string, costs: readonly Cost[], day?: string): CostRow {
  const endpoints = [...Map.groupBy(costs, ({ endpoint = '' }) => endpoint)].map(
    ([endpoint, own]): CostRow => ({
      ...sumOf(own),
      ...{ id: `${id} ${endpoint}`, endpoint, endpoints: [] },
      ...(day !== undefined && { day }),
    }),
  );
  return {
    ...sumOf(costs),
    id,
    ...(day !== undefined && { day }),
    endpoints: endpoints.toSorted((a, b) => b.dollars.total - a.dollars.total),
  };
}

/**
 * @param costs by endpoint and day
 * @param days those to show, also if no worker has run
 * @returns a row for each day, then that of all days
 */
export function rowsOf(costs: readonly Cost[], days: readonly string[]): CostRow[] {
  const byDay = Map.groupBy(costs, ({ day }) => day);
  return [...days.map((day) => rowOf(day, byDay.get(day) ?? [], day)), rowOf('all', costs)];
}
