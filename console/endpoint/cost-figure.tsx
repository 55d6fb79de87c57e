/** The cost of the present workers per hour, and the prices behind it. */
import type { Endpoint } from '../api/management-types.ts';
import type { Figure } from '../shell/figures.tsx';
import { costNote, dollars, totalHourlyCost } from './cost.ts';

/** @param endpoints undefined while they load; the figure has the same height then */
export function costFigure(endpoints: readonly Endpoint[] | undefined): Figure {
  const label = 'Workers cost an hour';
  if (!endpoints) return { label, value: undefined, note: '\u00a0' };
  const cost = totalHourlyCost(endpoints);
  const { text, excluded } = costNote(endpoints);
  return {
    label,
    value: cost === undefined ? '-' : dollars(cost),
    note: <span title={excluded}>{text}</span>,
  };
}
