/** Shows the hourly cost of the current workers, and the Region and date of its prices. */
import type { Endpoint } from '../api/management-types.ts';
import type { Figure } from '../shell/figures.tsx';
import { costNote, dollars, totalHourlyCost } from './cost.ts';

/** @param endpoints undefined while they load; the figure has the same height then */
export function costFigure(endpoints: readonly Endpoint[] | undefined): Figure {
  const label = 'Hourly cost of workers';
  if (!endpoints) return { label, value: undefined, note: '\u00a0' };
  const cost = totalHourlyCost(endpoints);
  const { text, excluded } = costNote(endpoints);
  return {
    label,
    value: cost === undefined ? '-' : dollars(cost),
    note: <span title={excluded}>{text}</span>,
  };
}
