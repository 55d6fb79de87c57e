/**
 * Calculates the cost of calls without jobs, as `npm run bench -w packages/lab -- calls` has counted them in a minute.
 */

import type { Prices } from '../../lib/prices/prices.ts';
import { dataPlane } from '../job-calls/dollars.ts';
import { sumOf } from '../job-calls/figures.ts';
import type { Recorded } from '../job-calls/record.ts';
import { type Charge, charge, HOURS_PER_MONTH } from './charge.ts';
import type { WorkerHour } from './workers.ts';

const MINUTES_PER_MONTH = HOURS_PER_MONTH * 60;
const MILLION = 1_000_000;

/**
 * Returns the charges. The sweeper's calls grow with the number of endpoints, and so does the list of endpoints that the
 * launching function reads each minute, as the sweeper does. The calls of workers grow with the number of workers that
 * always run; the record has one.
 */
export function idleCalls({ standing, endpoints }: Recorded, workers: readonly WorkerHour[], prices: Prices): Charge[] {
  const always = workers.reduce((sum, { minWorkers }) => sum + minWorkers, 0);
  const perMinute = (actor: string, operation?: string) =>
    dataPlane(
      prices,
      sumOf(standing.filter((line) => line.actor === actor && (operation ?? line.operation) === line.operation)),
    );
  const perEndpoint = (what: string, minute: number) =>
    charge(`${what}, per endpoint`, workers.length, 'month', monthly(minute / endpoints));
  return [
    perEndpoint("the sweeper's calls", perMinute('sweeper')),
    perEndpoint("the launching function's list", perMinute('sweeper', 'Scan')),
    charge("an idle worker's calls", always, 'month', monthly(perMinute('worker'))),
  ].filter(({ count }) => count > 0);
}

/** @param perMinute US dollars for a million of these minutes */
const monthly = (perMinute: number): number => (perMinute * MINUTES_PER_MONTH) / MILLION;
