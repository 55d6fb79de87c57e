/** What was measured, scenario by scenario. */
import type { Work } from './dollars.ts';
import type { Recorded } from './record.ts';
import type { Scenario } from './scenarios.ts';

/** All functions have the same memory; if not, the largest is charged. */
export const memoryOf = ({ functions }: Recorded) => Math.max(...functions.map(({ memory }) => memory));

/** A scenario with what was measured of it. */
export interface Row extends Work {
  readonly scenario: Scenario;
}

export const rowsOf = ({ scenarios: recorded }: Recorded, scenarios: readonly Scenario[]): Row[] =>
  scenarios.flatMap((scenario) => {
    const measurement = recorded[scenario.name];
    const { held, deliveries } = scenario;
    return measurement ? [{ scenario, held, deliveries, ...measurement }] : [];
  });
