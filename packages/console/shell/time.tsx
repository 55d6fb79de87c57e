/** Shows an absolute time. Its title shows the same time in UTC, or in local time if the page shows UTC. */
import type { Instant } from '../time-format.ts';
import { useTimes } from '../times.ts';

interface Props {
  readonly at: Instant;
  /** Shows only the time of day. */
  readonly short?: boolean;
}

export function Time({ at, short = false }: Props) {
  const times = useTimes();
  const date = new Date(at);
  return (
    <time title={times.title(at)} {...(!Number.isNaN(date.getTime()) && { dateTime: date.toISOString() })}>
      {short ? times.timeOfDay(at) : times.dateAndTime(at)}
    </time>
  );
}
