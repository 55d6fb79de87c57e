/** An absolute time. Its title has the same instant in the other of local time and UTC. */
import type { Instant } from '../time-format.ts';
import { useTimes } from '../times.ts';

interface Props {
  readonly at: Instant;
  /** Shows the time of day alone. */
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
